#include <algorithm>
#include <limits>
#include <ranges>
#include <utility>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/kube/detail/wire.hpp"
#include "flyball/kube/int_or_string.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"
#include "flyball/kube/quantity.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::kube {

namespace {

using detail::BackWriter;
using detail::FieldPath;
using json::View;
using reflect::ProtoCount;
using reflect::ProtoField;
using reflect::ProtoMessage;
using reflect::ProtoType;
using reflect::Shape;
using reflect::Type;

// Null says as little as nothing.
bool is_set(View value) { return value.exists() && !value.is_null(); }

const Type& inner_type(const Type& type) {
  const bool wraps = type.shape == Shape::optional || type.shape == Shape::list || type.shape == Shape::map;
  return wraps ? type.element() : type;
}

std::size_t find_field(const Type& type, std::string_view name) {
  const auto name_of = [&](std::uint16_t index) { return type.fields[index].name; };
  const auto found = std::ranges::lower_bound(type.sorted, name, {}, name_of);
  return found != type.sorted.end() && name_of(*found) == name ? *found : type.fields.size();
}

class Transcoder {
 public:
  Transcoder(BackWriter& to, const ToProtobufOptions& options) : to_(to), options_(options) {}

  void message(View value, const Type& type, const FieldPath& path) {
    if (type.proto == nullptr) FieldPath{.name = type.name}.fail("has no protobuf form");
    if (path.depth > detail::kMaxDepth) path.fail("objects stand within each other more than 500 levels deep");
    std::vector<View> members(type.fields.size());
    if (type.either) {
      choose(value, type, members, path);
    } else if (is_set(value)) {
      expect(value.is_object(), value, "an object", path);
      take(value, type, members, path);
    }
    fields(*type.proto, type, members, path);
  }

 private:
  void take(View value, const Type& type, std::vector<View>& members, const FieldPath& path) {
    const bool has_kind = type.kind != nullptr;
    for (const auto& [key, member] : value.entries()) {
      const std::size_t index = find_field(type, key);
      if (index != type.fields.size()) {
        members[index] = member;
      } else if (key == kUnknownFields) {
        const auto bytes = from_base64(member.string_or(""));
        if (!bytes) path.fail("expected base64 in " + std::string(kUnknownFields));
        to_.put(*bytes);
      } else if (options_.strict && !(has_kind && (key == "apiVersion" || key == "kind"))) {
        path.fail("unknown field \"" + std::string(key) + "\"");
      }
    }
  }

  // An object belongs to the boxed field, anything else to the other; a schema allows.
  void choose(View value, const Type& type, std::vector<View>& members, const FieldPath& path) const {
    static const json::Value yes(true);
    const std::size_t boxed = type.fields[0].type().shape == Shape::optional ? 0 : 1;
    const std::size_t other = 1 - boxed;
    const bool is_flag = type.fields[other].type().shape == Shape::boolean;
    if (!is_set(value)) return;
    if (value.is_object()) {
      members[boxed] = value;
      if (is_flag) members[other] = yes;
      return;
    }
    expect(is_flag ? value.is_bool() : value.is_array(), value,
           is_flag ? "an object or a boolean" : "an object or a list", path);
    members[other] = value;
  }

  void fields(const ProtoMessage& message, const Type& type, const std::vector<View>& members, const FieldPath& path) {
    for (const ProtoField& proto : message.fields | std::views::reverse) {
      if (proto.type == ProtoType::inlined) {
        const std::size_t end = to_.size();
        fields(*proto.inlined, type, members, path);
        to_.close(proto.number, end);
        continue;
      }
      const reflect::Field& field = type.fields[proto.field];
      member(proto, inner_type(field.type()), members[proto.field], {&path, field.name, path.depth + 1});
    }
  }

  void member(const ProtoField& proto, const Type& type, View value, const FieldPath& path) {
    if (proto.count != ProtoCount::always && !is_set(value)) return;
    switch (proto.count) {
      case ProtoCount::always:
      case ProtoCount::when_set: return one(proto.number, proto.type, type, value, path);
      case ProtoCount::list: {
        expect(value.is_array(), value, "a list", path);
        const std::vector<View> items(value.items().begin(), value.items().end());
        for (const View item : items | std::views::reverse) one(proto.number, proto.type, type, item, path);
        return;
      }
      case ProtoCount::map: return map(proto, type, value, path);
    }
  }

  void map(const ProtoField& proto, const Type& type, View value, const FieldPath& path) {
    expect(value.is_object(), value, "a map", path);
    std::vector<json::Entry> entries;
    for (const json::Entry entry : value.entries()) entries.push_back(entry);
    std::ranges::sort(entries, {}, &json::Entry::key);
    for (const json::Entry& entry : entries | std::views::reverse) {
      const std::size_t end = to_.size();
      one(2, proto.type, type, entry.value, {&path, entry.key, path.depth + 1});
      to_.bytes_field(1, entry.key);
      to_.close(proto.number, end);
    }
  }

  static void expect(bool holds, View value, std::string_view expected, const FieldPath& path) {
    if (!holds) path.fail("expected " + std::string(expected) + ", found " + json::summary(value));
  }

  static std::string_view text(View value, std::string_view expected, const FieldPath& path) {
    expect(value.is_string(), value, expected, path);
    return value.as_string();
  }

  void one(std::uint32_t number, ProtoType proto, const Type& type, View value, const FieldPath& path) {
    const bool set = is_set(value);
    switch (proto) {
      case ProtoType::string: return to_.bytes_field(number, set ? text(value, "a string", path) : "");
      case ProtoType::bytes: return bytes(number, value, path);
      case ProtoType::boolean:
        if (set) expect(value.is_bool(), value, "a boolean", path);
        return to_.number_field(number, set && value.as_bool() ? 1 : 0);
      case ProtoType::int32:
        return to_.number_field(number, integer(value, std::numeric_limits<std::int32_t>::min(),
                                                std::numeric_limits<std::int32_t>::max(), "a 32-bit integer", path));
      case ProtoType::int64:
        return to_.number_field(number, integer(value, std::numeric_limits<std::int64_t>::min(),
                                                std::numeric_limits<std::int64_t>::max(), "a 64-bit integer", path));
      case ProtoType::float64:
        if (set) expect(value.is_number(), value, "a number", path);
        return to_.double_field(number, set ? value.as_double() : 0);
      default: break;
    }
    const std::size_t end = to_.size();
    if (proto == ProtoType::message) {
      message(value, type, path);
    } else if (proto == ProtoType::quantity) {
      quantity(value, path);
    } else if (proto == ProtoType::int_or_string) {
      int_or_string(value, path);
    } else if (set) {
      word(proto, value, path);
    } else if (proto == ProtoType::duration) {
      to_.number_field(1, 0);
    }
    to_.close(number, end);
  }

  static std::uint64_t integer(View value, std::int64_t least, std::int64_t most, std::string_view expected,
                               const FieldPath& path) {
    if (!is_set(value)) return 0;
    expect(value.is_int() && value.as_int() >= least && value.as_int() <= most, value, expected, path);
    return static_cast<std::uint64_t>(value.as_int());
  }

  void bytes(std::uint32_t number, View value, const FieldPath& path) {
    const auto decoded = from_base64(is_set(value) ? text(value, "base64 text", path) : "");
    expect(decoded.has_value(), value, "base64 text", path);
    to_.bytes_field(number, *decoded);
  }

  void quantity(View value, const FieldPath& path) {
    if (!is_set(value)) return to_.bytes_field(1, "0");
    expect(value.is_string() || value.is_number(), value, "a quantity", path);
    const auto parsed =
        Quantity::try_parse(value.is_string() ? std::string(value.as_string()) : json::write(value), nullptr);
    expect(parsed.has_value(), value, "a quantity such as 500m or 256Mi", path);
    to_.bytes_field(1, parsed->to_string());
  }

  void int_or_string(View value, const FieldPath& path) {
    const bool is_string = value.is_string();
    to_.bytes_field(3, is_string ? value.as_string() : "");
    to_.number_field(2, is_string ? 0
                                  : integer(value, std::numeric_limits<std::int32_t>::min(),
                                            std::numeric_limits<std::int32_t>::max(), "an integer or a string", path));
    to_.number_field(1, is_string ? 1 : 0);
  }

  // Inside its message, of which nothing is written yet.
  void word(ProtoType proto, View value, const FieldPath& path) {
    if (proto == ProtoType::raw) {
      to_.bytes_field(1, json::write(value, {.escape_html = false}));
    } else if (proto == ProtoType::words) {
      expect(value.is_array(), value, "a list", path);
      const std::vector<View> items(value.items().begin(), value.items().end());
      for (const View item : items | std::views::reverse) to_.bytes_field(1, text(item, "a string", path));
    } else {
      try {
        moment(proto, text(value, "a string", path));
      } catch (const InputError& error) {
        path.fail(error.problem());
      }
    }
  }

  void moment(ProtoType proto, std::string_view text) {
    if (proto == ProtoType::duration) {
      to_.number_field(1, static_cast<std::uint64_t>(Duration::parse(text).nanos()));
      return;
    }
    std::int64_t seconds = 0;
    std::int64_t micros = 0;
    if (proto == ProtoType::time) {
      const Time time = Time::parse(text);
      if (time.is_zero()) return;
      seconds = time.unix_seconds();
    } else {
      const MicroTime time = MicroTime::parse(text);
      if (time.is_zero()) return;
      seconds = time.unix_micros() / 1'000'000;
      micros = time.unix_micros() % 1'000'000;
      if (micros < 0) {
        --seconds;
        micros += 1'000'000;
      }
    }
    to_.number_field(2, static_cast<std::uint64_t>(micros * 1000));
    to_.number_field(1, static_cast<std::uint64_t>(seconds));
  }

  BackWriter& to_;
  const ToProtobufOptions& options_;
};

}  // namespace

std::string json_to_message(View object, const Type& type, const ToProtobufOptions& options) {
  BackWriter to;
  Transcoder(to, options).message(object, type, {});
  return to.finish();
}

std::string json_to_protobuf(View object, const ToProtobufOptions& options) {
  const std::string_view api_version = object["apiVersion"].string_or("");
  const std::string_view kind = object["kind"].string_or("");
  const Type* type = find_kind(api_version, kind);
  if (type == nullptr) {
    FieldPath{.name = "kind"}.fail("expected the apiVersion and kind of a built-in kind, found " +
                                   std::string(api_version) + " " + std::string(kind));
  }
  const std::string message = json_to_message(object, *type, options);
  return seal_envelope({.api_version = api_version, .kind = kind, .object = message});
}

}  // namespace flyball::kube
