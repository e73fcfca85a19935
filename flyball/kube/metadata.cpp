#include "flyball/kube/metadata.hpp"

#include "flyball/json/reader.hpp"
#include "flyball/kube/detail/codec_words.hpp"
#include "flyball/kube/detail/wire.hpp"
#include "flyball/kube/protobuf.hpp"

namespace flyball::kube {

namespace {

using detail::FieldPath;
using detail::WireField;
using detail::WireReader;

// The numbers are those of meta/v1 ObjectMeta and OwnerReference in the facts table; metadata_test.cpp compares them.
void read_label(std::string_view bytes, Metadata& to) {
  WireReader reader(bytes);
  WireField field;
  auto& label = to.labels.emplace_back();
  while (reader.next(field)) {
    if (field.number == 1) label.first = field.bytes;
    if (field.number == 2) label.second = field.bytes;
  }
}

void read_owner(std::string_view bytes, Metadata& to) {
  WireReader reader(bytes);
  WireField field;
  auto& owner = to.owners.emplace_back();
  while (reader.next(field)) {
    switch (field.number) {
      case 1: owner.kind = field.bytes; break;
      case 3: owner.name = field.bytes; break;
      case 4: owner.uid = field.bytes; break;
      case 5: owner.api_version = field.bytes; break;
      case 6: owner.controller = field.number_value != 0; break;
      default: break;
    }
  }
}

void read_object_meta(std::string_view bytes, Metadata& to) {
  const FieldPath path{.name = "metadata"};
  WireReader reader(bytes);
  WireField field;
  while (reader.next(field)) {
    switch (field.number) {
      case 1: to.name = field.bytes; break;
      case 3: to.namespace_ = field.bytes; break;
      case 5: to.uid = field.bytes; break;
      case 6: to.resource_version = field.bytes; break;
      case 7: to.generation = static_cast<std::int64_t>(field.number_value); break;
      case 9: to.deletion_timestamp = detail::read_time(field.bytes, path); break;
      case 11:
        if (to.labels.empty()) to.labels.reserve(8);
        read_label(field.bytes, to);
        break;
      case 13: read_owner(field.bytes, to); break;
      case 14: to.finalizers.push_back(field.bytes); break;
      default: break;
    }
  }
  if (reader.failed()) path.fail("the protobuf message is cut off or damaged");
}

class JsonMetadata {
 public:
  JsonMetadata(std::string_view text, Metadata& to) : text_(text), reader_(text), to_(to) {}

  void read() {
    reader_.begin_object();
    // Nothing behind the metadata is looked at, unless the kind has not come yet.
    bool found = false;
    while (const auto key = reader_.next_member()) {
      if (*key == "metadata" && reader_.peek() == json::Kind::object) {
        object_meta();
        found = true;
      } else if (*key == "apiVersion") {
        word(to_.api_version);
      } else if (*key == "kind") {
        word(to_.kind);
      } else {
        reader_.skip();
      }
      if (found && !to_.kind.empty() && !to_.api_version.empty()) return;
    }
  }

 private:
  void word(std::string_view& to) {
    if (reader_.peek() != json::Kind::string) return reader_.skip();
    to = kept(reader_.string());
  }

  // An unescaped text lives in the reader only until the next call.
  std::string_view kept(std::string_view text) {
    const bool inside = text.data() >= text_.data() && text.data() <= text_.data() + text_.size();
    return inside ? text : to_.unescaped.emplace_front(text);
  }

  void object_meta() {
    reader_.begin_object();
    while (const auto key = reader_.next_member()) {
      const json::Kind kind = reader_.peek();
      if (*key == "name") {
        word(to_.name);
      } else if (*key == "namespace") {
        word(to_.namespace_);
      } else if (*key == "uid") {
        word(to_.uid);
      } else if (*key == "resourceVersion") {
        word(to_.resource_version);
      } else if (*key == "generation" && kind == json::Kind::number) {
        to_.generation = reader_.number().as_int;
      } else if (*key == "deletionTimestamp" && kind == json::Kind::string) {
        to_.deletion_timestamp = Time::parse(reader_.string());
      } else if (*key == "labels" && kind == json::Kind::object) {
        labels();
      } else if (*key == "finalizers" && kind == json::Kind::array) {
        reader_.begin_array();
        while (reader_.next_element()) word(to_.finalizers.emplace_back());
      } else if (*key == "ownerReferences" && kind == json::Kind::array) {
        reader_.begin_array();
        while (reader_.next_element()) owner();
      } else {
        reader_.skip();
      }
    }
  }

  void labels() {
    to_.labels.reserve(8);
    reader_.begin_object();
    while (const auto key = reader_.next_member()) {
      const std::string_view name = kept(*key);
      word(to_.labels.emplace_back(name, std::string_view()).second);
    }
  }

  void owner() {
    if (reader_.peek() != json::Kind::object) return reader_.skip();
    auto& owner = to_.owners.emplace_back();
    reader_.begin_object();
    while (const auto key = reader_.next_member()) {
      if (*key == "apiVersion") {
        word(owner.api_version);
      } else if (*key == "kind") {
        word(owner.kind);
      } else if (*key == "name") {
        word(owner.name);
      } else if (*key == "uid") {
        word(owner.uid);
      } else if (*key == "controller" && reader_.peek() == json::Kind::boolean) {
        owner.controller = reader_.boolean();
      } else {
        reader_.skip();
      }
    }
  }

  std::string_view text_;
  json::Reader reader_;
  Metadata& to_;
};

}  // namespace

Metadata metadata_of_message(std::string_view message) {
  Metadata metadata;
  WireReader reader(message);
  WireField field;
  // Every kind has its metadata in field 1, which Go writes first.
  while (reader.next(field)) {
    if (field.number != 1 || field.wire != detail::Wire::bytes) continue;
    read_object_meta(field.bytes, metadata);
    return metadata;
  }
  if (reader.failed()) FieldPath{.name = "metadata"}.fail("the protobuf message is cut off or damaged");
  return metadata;
}

Metadata metadata_of(std::string_view bytes) {
  if (!is_protobuf(bytes)) {
    Metadata metadata;
    JsonMetadata(bytes, metadata).read();
    return metadata;
  }
  const Envelope envelope = open_envelope(bytes);
  Metadata metadata = metadata_of_message(envelope.object);
  metadata.api_version = envelope.api_version;
  metadata.kind = envelope.kind;
  return metadata;
}

}  // namespace flyball::kube
