// A custom resource with every kind of field there is to merge, for tests.
#pragma once

#include <string_view>

#include "flyball/apiserver/merge/field_manager.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::apiserver::merge {

inline const MergeSchema& gadget_schema() {
  static const MergeSchema schema = MergeSchema::of_custom(json::parse(R"({"type":"object","properties":{
    "spec":{"type":"object","properties":{
      "size":{"type":"integer"},
      "name":{"type":"string"},
      "on":{"type":"boolean"},
      "port":{"x-kubernetes-int-or-string":true},
      "tags":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
      "parts":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name","zone"],
        "items":{"type":"object","properties":{"name":{"type":"string"},"zone":{"type":"string","default":"a"},
          "count":{"type":"integer"}}}},
      "steps":{"type":"array","items":{"type":"string"}},
      "rgb":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"r":{"type":"integer"},"g":{"type":"integer"}}},
      "notes":{"type":"object","additionalProperties":{"type":"string"}},
      "nested":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}}},
      "blob":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}},
    "status":{"type":"object","properties":{"phase":{"type":"string"}}}}})"));
  return schema;
}

inline const MergeType& gadget_spec() { return *gadget_schema().root().find_field("spec")->type; }

inline ManagedKind gadget_kind(FieldFilter reset = {}) {
  return {.schema = gadget_schema(), .api_version = "example.com/v1", .kind = "Gadget", .reset = std::move(reset)};
}

inline json::Value gadget(std::string_view spec, std::string_view uid = "") {
  json::Value metadata = json::object({{"name", "x"}, {"namespace", "d"}});
  if (!uid.empty()) metadata = json::object({{"name", "x"}, {"namespace", "d"}, {"uid", uid}});
  return json::object(
      {{"apiVersion", "example.com/v1"}, {"kind", "Gadget"}, {"metadata", metadata}, {"spec", json::parse(spec)}});
}

}  // namespace flyball::apiserver::merge
