// Pruning: what a schema does not know is dropped from a custom resource.
//
//   Pruned pruned = prune(*schema, object);
//   pruned.object;                            // without them
//   for (const std::string& path : pruned.unknown) warn("unknown field \"" + path + "\"");
//
// The apiVersion, kind and metadata of the object, and of resources embedded in it, stay; so does everything below
// x-kubernetes-preserve-unknown-fields that has no schema of its own. Upstream defaults first and prunes then.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "flyball/apiserver/schema/structural.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

struct Pruned {
  json::Value object = {};
  std::vector<std::string> unknown = {};  // spec.list[0].name; sorted
};

Pruned prune(const Schema& schema, json::View object);

// A part of an object. `resource`: it is a whole object, whose apiVersion, kind and metadata stay.
Pruned prune(const SchemaNode& schema, json::View value, bool resource);

}  // namespace flyball::apiserver
