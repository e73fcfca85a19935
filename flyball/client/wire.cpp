#include "flyball/client/wire.hpp"

#include "flyball/base/text.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::client {
namespace {

bool is_dynamic(const reflect::Type& type) { return type.shape == reflect::Shape::json; }

json::Value& as_value(void* to) { return *static_cast<json::Value*>(to); }

std::string accept(const std::string& kind, bool protobuf) {
  const std::string as = kind.empty() ? "" : ";as=" + kind + ";g=meta.k8s.io;v=v1";
  const std::string json = std::string(kJsonType) + as;
  return protobuf ? std::string(kProtobufType) + as + "," + json : json;
}

// What Kubernetes' decoders do with a member that stands twice, and servers have sent such.
constexpr auto kParse = json::ParseOptions{.duplicates = json::Duplicates::last_wins};

}  // namespace

std::string_view content_type(Format format) { return format == Format::json ? kJsonType : kProtobufType; }

std::string accept_header(Extent extent, bool protobuf) {
  return accept(extent == Extent::metadata ? "PartialObjectMetadata" : "", protobuf);
}

std::string accept_list_header(Extent extent, bool protobuf) {
  return accept(extent == Extent::metadata ? "PartialObjectMetadataList" : "", protobuf);
}

Format format_of(const Answer& answer) {
  const std::string_view type = answer.response.headers.get("Content-Type");
  if (type.starts_with(kProtobufType)) return Format::protobuf;
  if (type.starts_with(kJsonType)) return Format::json;
  throw Error(answer.about + ": expected an answer of " + std::string(kJsonType) + " or " + std::string(kProtobufType) +
              ", found Content-Type \"" + std::string(type) + "\": is this the address of a Kubernetes API server? " +
              "It begins: " + valid_utf8(std::string_view(answer.response.body).substr(0, 200)));
}

json::Value with_kind(json::Value object, const GroupVersionKind& kind) {
  if (!object.is_object() || object["kind"].exists()) return object;
  json::Builder builder(object.encoded_size() + 64);
  builder.begin_object();
  builder.key("apiVersion").string(kind.api_version());
  builder.key("kind").string(kind.kind);
  for (const auto [name, value] : object.entries()) {
    if (name != "apiVersion") builder.key(name).value(value);
  }
  builder.end();
  return builder.finish();
}

std::string encode_object(const reflect::Type& type, const void* object, Format format) {
  if (format == Format::protobuf) return kube::to_protobuf(type, object);
  std::string text;
  // The writer ends before the text is moved out.
  {
    json::TextWriter writer(text, {});
    reflect::encode_document(type, object, writer);
  }
  return text;
}

void decode_object(const Answer& answer, const reflect::Type& type, void* to) {
  const Format format = format_of(answer);
  const std::string& body = answer.response.body;
  try {
    if (is_dynamic(type)) {
      // Never asked for: reading any kind's protobuf would put the tables of all kinds into every program.
      if (format == Format::protobuf) throw Error("a dynamic object came as protobuf");
      as_value(to) = json::parse(body, kParse);
    } else if (format == Format::json) {
      reflect::decode(body, type, to);
    } else {
      kube::from_protobuf(body, type, to);
    }
  } catch (const Error& error) {
    throw Error(answer.about + ": the answer is not what was asked for: " + error.what());
  }
}

void decode_item(std::string_view item, Format format, const reflect::Type& type, const GroupVersionKind& kind,
                 void* to) {
  if (is_dynamic(type)) {
    if (format == Format::protobuf) throw Error("a dynamic object came as protobuf");
    as_value(to) = with_kind(json::parse(item, kParse), kind);
  } else if (format == Format::json) {
    reflect::decode(item, type, to);
  } else {
    kube::decode_message(item, type, to);
  }
}

}  // namespace flyball::client
