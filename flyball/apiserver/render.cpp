#include "flyball/apiserver/render.hpp"

#include <algorithm>
#include <utility>

#include "flyball/apiserver/conversion.hpp"
#include "flyball/apiserver/go_errors.hpp"
#include "flyball/apiserver/schema/custom_kind.hpp"
#include "flyball/apiserver/tables/render_table.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::apiserver {
namespace {

std::string prefix_of(const Resource& resource) {
  return R"({"apiVersion":")" + resource.api_version() + R"(","kind":")" + resource.kind + R"(",)";
}

// Items of a built-in list carry no type.
std::string_view without_type(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text.substr(1);
}

void append_head(std::string& to, const ListHead& head, bool custom = false) {
  to += R"("metadata":{"resourceVersion":")" + std::to_string(head.revision) + '"';
  if (custom || !head.continue_.empty()) to += R"(,"continue":")" + head.continue_ + '"';
  if (head.remaining) to += R"(,"remainingItemCount":)" + std::to_string(*head.remaining);
  to += '}';
}

std::string list_text(const Resource& resource, const std::vector<Bytes>& texts, const ListHead& head) {
  std::size_t size = 256;
  for (const Bytes& text : texts) size += text->size() + 1;
  std::string list;
  list.reserve(size);
  list += R"({"kind":")" + resource.list_kind + R"(","apiVersion":")" + resource.api_version() + R"(",)";
  append_head(list, head, resource.is_custom());
  list += R"(,"items":[)";
  const std::string prefix = prefix_of(resource);
  bool first = true;
  for (const Bytes& text : texts) {
    if (!std::exchange(first, false)) list += ',';
    if (resource.is_custom()) {
      list += *text;
    } else {
      list.append("{").append(without_type(*text, prefix));
    }
  }
  list += "]}";
  return list;
}

std::string message_of(const Resource& resource, std::string_view text) {
  if (resource.type == nullptr) throw Error(resource.list_kind + " has no protobuf form");
  reflect::Object object(*resource.type);
  reflect::decode(text, *resource.type, object.get());
  return kube::encode_message(*resource.type, object.get());
}

const std::string& message_of(const Resource& resource, const StoredText& text) {
  return text.message([&] { return message_of(resource, std::string_view(text)); });
}

void append_size(std::string& to, std::size_t size) {
  for (; size >= 0x80; size >>= 7U) to.push_back(static_cast<char>((size & 0x7FU) | 0x80U));
  to.push_back(static_cast<char>(size));
}

void append_field(std::string& to, char tag, std::string_view bytes) {
  to.push_back(tag);
  append_size(to, bytes.size());
  to.append(bytes);
}

std::size_t field_size(std::size_t size) {
  std::size_t head = 2;
  for (std::size_t rest = size; rest >= 0x80; rest >>= 7U) ++head;
  return head + size;
}

// Fields 1 and 2 of a message, as bytes.
constexpr char kFirst = 0x0a;
constexpr char kSecond = 0x12;

// Written once, where it stays: a list may have a hundred megabytes.
std::string protobuf_list(const Resource& resource, const std::vector<Bytes>& texts, const ListHead& head) {
  kube::meta::v1::ListMeta metadata{.resourceVersion = std::to_string(head.revision), .continue_ = head.continue_};
  metadata.remainingItemCount = head.remaining;
  const std::string meta = kube::encode_message(reflect::type_of<kube::meta::v1::ListMeta>(), &metadata);
  std::size_t size = field_size(meta.size());
  for (const Bytes& text : texts) size += field_size(message_of(resource, *text).size());
  // What stands around an object, seen around a small one.
  const std::string small = "\x12\x01x";
  const std::string around =
      kube::seal_envelope({.api_version = resource.api_version(), .kind = resource.list_kind, .object = "x"});
  const std::size_t at = around.rfind(small);
  std::string list;
  list.reserve(around.size() + size + 8);
  list.append(around, 0, at);
  list.push_back(kSecond);
  append_size(list, size);
  append_field(list, kFirst, meta);
  for (const Bytes& text : texts) append_field(list, kSecond, message_of(resource, *text));
  list.append(around, at + small.size());
  return list;
}

std::string sealed(const Resource& resource, const std::string& message) {
  return kube::seal_envelope({.api_version = resource.api_version(), .kind = resource.kind, .object = message});
}

std::string text_bytes(const Accept& accept, std::string text) {
  if (accept.format == Encoding::yaml) return json::write_yaml(json::parse(text));
  if (accept.pretty) text = json::write(json::parse(text), {.indent = 2});
  text += '\n';
  return text;
}

std::string value_bytes(const Accept& accept, json::View value) {
  if (accept.format == Encoding::protobuf) return kube::json_to_protobuf(value);
  if (accept.format == Encoding::yaml) return json::write_yaml(value);
  return json::write(value, {.indent = accept.pretty ? 2 : 0}) += '\n';
}

json::Value metadata_list(const std::vector<Bytes>& texts, const ListHead& head, std::string_view version) {
  std::string text =
      R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/)" + std::string(version) + R"(",)";
  append_head(text, head);
  text += R"(,"items":[)";
  bool first = true;
  for (const Bytes& one : texts) {
    if (!std::exchange(first, false)) text += ',';
    text += json::write(metadata_only(json::parse(*one), version));
  }
  return json::parse(text + "]}");
}

TableOptions table_options(const Context& context) {
  return {.version = context.accept.version,
          .include = include_object(context.call.query["includeObject"]),
          .now = context.world.clock.wall_now()};
}

net::Response answer(const Accept& accept, int status, std::string body) {
  net::Response response{.status = status, .body = std::move(body)};
  response.headers.set("Content-Type", accept.content_type());
  return response;
}

// Whether the metadata that was asked for is that of a list.
bool asks_for_list(const Context& context) {
  const auto clauses = parse_accept(context.call.header("Accept"));
  const auto chosen = std::ranges::find_if(clauses, [&](const AcceptClause& clause) {
    return (clause.type == context.accept.content_type() || clause.type == "*/*") &&
           clause.param("v") == context.accept.version && clause.param("as").starts_with("PartialObjectMetadata");
  });
  return chosen != clauses.end() && chosen->param("as") == "PartialObjectMetadataList";
}

// One object's metadata cannot be had of a list, nor the other way round. Upstream finds that out only here, after the
// object was read or written.
void check_count(const Context& context, bool list) {
  if (context.accept.as != Projection::metadata || asks_for_list(context) == list) return;
  const Resource& resource = *context.resource;
  if (resource.is_custom() && !list) {
    throw Refusal({.code = 500, .message = "content is not a list"}, {.present = false, .reason = false});
  }
  std::string type =
      resource.is_custom() ? "unstructured.Unstructured" : go_package(resource.group) + "." + resource.kind;
  if (list) type += "List";
  throw Refusal({.reason = Reason::NotAcceptable,
                 .message = std::string("you requested PartialObjectMetadata") + (list ? "" : "List") +
                            ", but the requested object is " + (list ? "a" : "not a") + " list (*" + type + ")"},
                {.present = false});
}

template <class Text>
net::Response render_any(Context& context, int status, const Text& text) {
  check_count(context, false);
  net::Response response;
  if (context.accept.as == Projection::table) {
    response = render_value(context.accept, status,
                            render_table(table_of(*context.resource), json::parse(text), table_options(context)));
  } else {
    response = answer(context.accept, status, object_bytes(context.accept, *context.resource, text));
  }
  add_headers(context, response);
  return response;
}

}  // namespace

const KindTable& table_of(const Resource& resource) {
  if (resource.custom_table != nullptr) return *resource.custom_table;
  return find_table(resource.group, resource.version, resource.kind);
}

json::Value metadata_only(json::View object, std::string_view version) {
  json::Builder to;
  to.begin_object();
  to.key("kind").string("PartialObjectMetadata");
  to.key("apiVersion").string("meta.k8s.io/" + std::string(version));
  to.key("metadata").value(object["metadata"]);
  to.end();
  return to.finish();
}

std::string object_bytes(const Accept& accept, const Resource& resource, std::string_view text) {
  if (accept.as == Projection::metadata) return value_bytes(accept, metadata_only(json::parse(text), accept.version));
  if (accept.format != Encoding::protobuf) return text_bytes(accept, std::string(text));
  return sealed(resource, message_of(resource, text));
}

std::string object_bytes(const Accept& accept, const Resource& resource, const StoredText& text) {
  const bool whole = accept.as == Projection::object && accept.format == Encoding::protobuf;
  return whole ? sealed(resource, message_of(resource, text)) : object_bytes(accept, resource, std::string_view(text));
}

Bytes in_version(const Resource& resource, const Bytes& stored) {
  if (stored->starts_with(prefix_of(resource))) return stored;
  return std::make_shared<const StoredText>(in_version(resource, std::string_view(*stored)));
}

std::string in_version(const Resource& resource, std::string_view stored) {
  if (stored.starts_with(prefix_of(resource))) return std::string(stored);
  const json::Value converted = convert(json::parse(stored), resource);
  if (resource.is_custom()) {
    return json::write(resource.custom->prune(converted).object);
  }
  return Object::from(std::make_shared<Resource>(resource), converted).text();
}

net::Response render_object(Context& context, int status, std::string_view text) {
  return render_any(context, status, text);
}

net::Response render_object(Context& context, int status, const StoredText& text) {
  return render_any(context, status, text);
}

net::Response render_written(Context& context, int status, const Written& written) {
  // From the object, where it is at hand: cheaper than from its text.
  if (written.object && context.accept.format == Encoding::protobuf && context.resource->type != nullptr) {
    written.text->message([&] { return kube::encode_message(*context.resource->type, written.object->get()); });
  }
  return render_object(context, status, *written.text);
}

net::Response render_list(Context& context, const std::vector<Bytes>& texts, const ListHead& head) {
  check_count(context, true);
  const Accept& accept = context.accept;
  net::Response response;
  if (accept.as == Projection::table) {
    std::vector<json::Value> objects;
    objects.reserve(texts.size());
    for (const Bytes& text : texts) objects.push_back(json::parse(*text));
    const TableMeta meta{.resourceVersion = std::to_string(head.revision),
                         .continue_ = head.continue_,
                         .remainingItemCount = head.remaining};
    response =
        render_value(accept, 200, render_table(table_of(*context.resource), objects, meta, table_options(context)));
  } else if (accept.as == Projection::metadata) {
    response = render_value(accept, 200, metadata_list(texts, head, accept.version));
  } else if (accept.format == Encoding::protobuf) {
    response = answer(accept, 200, protobuf_list(*context.resource, texts, head));
  } else {
    response = answer(accept, 200, text_bytes(accept, list_text(*context.resource, texts, head)));
  }
  add_headers(context, response);
  return response;
}

net::Response render_value(const Accept& accept, int status, json::View value) {
  return answer(accept, status, value_bytes(accept, value));
}

net::Response render_refusal(const Accept& accept, const Refusal& refusal) {
  net::Response response = render_value(accept, refusal.code(), refusal.status());
  if (refusal.retry_after()) response.headers.set("Retry-After", std::to_string(refusal.retry_after()->count()));
  return response;
}

void add_headers(Context& context, net::Response& response) {
  response.headers.set("Cache-Control", "no-cache, private");
  std::vector<std::string> said;
  for (const std::string& warning : context.warnings) {
    if (std::ranges::find(said, warning) != said.end()) continue;
    said.push_back(warning);
    std::string quoted;
    for (const char c : warning) {
      if (c == '"' || c == '\\') quoted.push_back('\\');
      quoted.push_back(c == '\n' ? ' ' : c);
    }
    response.headers.add("Warning", "299 - \"" + quoted + "\"");
  }
}

}  // namespace flyball::apiserver
