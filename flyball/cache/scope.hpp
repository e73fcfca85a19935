// Scope: which objects of a kind are watched and kept, and how. The server sends no others.
//
//   const auto pods = cache.watch<core::Pod>({.labels = {{"app", "web"}}, .managed_fields = false});
//
// Users that say the same share one store. Indexes count by their names: the functions of the first user are used.
//
// Thread-safety: a value.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "flyball/cache/byte_store.hpp"
#include "flyball/client/wire.hpp"
#include "flyball/kube/field_selector.hpp"
#include "flyball/kube/labels.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::cache {

struct Scope {
  std::vector<std::string> namespaces = {};  // empty: those of the cache, which may change
  bool all_namespaces = false;               // also when those of the cache are a few
  Labels labels = {};                        // every one of these
  kube::Selector selector = {};              // and this: Selector::parse("tier in (cache,db),!canary")
  kube::FieldSelector fields = {};
  client::Extent extent = client::Extent::whole;      // metadata: the server sends nothing else
  bool managed_fields = true;                         // false: they are left out, a third of most objects
  std::map<std::string, IndexFunction> indexes = {};  // your own, beside namespace, labels and owners
  std::size_t budget = 0;                             // bytes; 0: no limit. See StoreOptions::budget

  // Says nothing: all objects of the kind, whole, in the namespaces of the cache.
  bool is_default() const { return to_string().empty() && indexes.empty() && budget == 0; }
  // What tells it from other scopes of the kind; empty for all objects, whole.
  std::string to_string() const;
  // Whether an object belongs here, as far as its metadata says. Namespaces are not looked at.
  bool matches(const kube::Metadata& metadata) const;
};

}  // namespace flyball::cache
