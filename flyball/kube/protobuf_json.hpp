// Between protobuf and dynamic JSON, for every built-in kind, driven by the tables: what an API server and a dynamic
// client need.
//
//   json::Value pod = kube::protobuf_to_json(body);           // any built-in kind; apiVersion and kind from its
//   envelope std::string bytes = kube::json_to_protobuf(pod);          // found by its apiVersion and kind
//
// The JSON is the one Go would write, with `"status": {}` and `null` where Go has them. The protobuf is what Go would
// write, byte for byte.
//
// Fields of a newer release survive: what a message holds beyond its table stands, as base64, in a member named
// "$protobuf" of that object, and is put back in place by json_to_protobuf. Unknown JSON members are dropped, or, with
// `strict`, refused.
//
// Errors are InputErrors with the field path. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "flyball/json/value.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::kube {

// The member that holds the fields no table knows.
inline constexpr std::string_view kUnknownFields = "$protobuf";

struct ToJsonOptions {
  // Keep fields that the table does not know. Default: true.
  bool keep_unknown = true;
};

struct ToProtobufOptions {
  // A member that the table does not know is an error. Default: it is dropped.
  bool strict = false;
};

json::Value protobuf_to_json(std::string_view bytes, const ToJsonOptions& options = {});
std::string json_to_protobuf(json::View object, const ToProtobufOptions& options = {});

// One message of a known type, without an envelope.
json::Value message_to_json(std::string_view message, const reflect::Type& type, const ToJsonOptions& options = {});
std::string json_to_message(json::View object, const reflect::Type& type, const ToProtobufOptions& options = {});

}  // namespace flyball::kube
