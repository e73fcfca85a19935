// Query: which objects of a kind a list is asked for. Everything that is said must hold.
//
//   cache.list<core::Pod>({.namespace_ = "default", .labels = {{"app", "web"}}});
//   cache.list<core::Pod>({.owner = web.metadata.uid});
//   cache.list<core::Pod>({.index = "node", .value = "node-1"});           // an index of your own: Scope::indexes
//
// Namespaces, labels and owners are indexed for every kind, without being asked: a list costs what it returns.
//
// Thread-safety: a value.
#pragma once

#include <string>

#include "flyball/kube/labels.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::cache {

struct Query {
  std::string namespace_ = {};   // empty: all
  Labels labels = {};            // every one of these
  kube::Selector selector = {};  // and this: Selector::parse("tier in (cache,db),!canary")
  std::string owner = {};        // the uid of an owner, controller or not
  std::string index = {};        // an index of your own, by its name
  std::string value = {};        // and what it must say
};

}  // namespace flyball::cache
