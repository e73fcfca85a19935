// Rendering: an object or a list, as stored, becomes the answer in the form the client asked for.
//
//   return render_object(context, 201, object.text());
//   return render_list(context, items, {.revision = 42});
//
// JSON goes out as it is stored; YAML, protobuf, tables and metadata are made of it.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/refusal.hpp"
#include "flyball/apiserver/tables/render_table.hpp"
#include "flyball/apiserver/written.hpp"
#include "flyball/json/value.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

struct ListHead {
  Revision revision = 0;
  std::string continue_ = {};
  std::optional<std::int64_t> remaining = {};
};

// `text` is the object's JSON in the version of `context.resource`.
net::Response render_object(Context& context, int status, std::string_view text);
net::Response render_object(Context& context, int status, const StoredText& text);
// What a write made.
net::Response render_written(Context& context, int status, const Written& written);
net::Response render_list(Context& context, const std::vector<Bytes>& texts, const ListHead& head);
// Anything else, a Status for example. `apiVersion` and `kind` say what it is.
net::Response render_value(const Accept& accept, int status, json::View value);
net::Response render_refusal(const Accept& accept, const Refusal& refusal);

// What every answer carries: Warning headers, Cache-Control, Audit-Id.
void add_headers(Context& context, net::Response& response);

// An object on its own in a format: a watch's frames are made of these.
std::string object_bytes(const Accept& accept, const Resource& resource, std::string_view text);
std::string object_bytes(const Accept& accept, const Resource& resource, const StoredText& text);

// The text of a stored object in the version of `resource`: another version's is converted.
std::string in_version(const Resource& resource, std::string_view stored);
Bytes in_version(const Resource& resource, const Bytes& stored);

// What kubectl prints of a resource.
const KindTable& table_of(const Resource& resource);

// `{"kind":"PartialObjectMetadata",…}` of an object.
json::Value metadata_only(json::View object, std::string_view version);

}  // namespace flyball::apiserver
