// Key: what a controller reconciles. One object of its kind, in one cluster.
//
//   Key key{.namespace_ = "shop", .name = "web"};
//   log.info("reconciled", "object", key);               // shop/web
//
// An operator of one cluster leaves `cluster` empty, one that is not sharded leaves `shard` at 0.
//
// Thread-safety: a value. It compares, sorts and hashes.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

#include "flyball/kube/resource_key.hpp"

namespace flyball::runtime {

struct Key {
  std::string cluster = {};     // empty: the operator's own
  std::string namespace_ = {};  // empty for what has none
  std::string name = {};
  std::uint32_t shard = 0;  // decided by whoever spreads keys over operators; the same for a key every time

  kube::ObjectKey object() const { return {namespace_, name}; }
  // "shop/web"; "east:shop/web" with a cluster.
  std::string to_string() const { return (cluster.empty() ? "" : cluster + ":") + object().to_string(); }

  friend auto operator<=>(const Key&, const Key&) = default;
};

inline std::string log_text(const Key& key) { return key.to_string(); }

}  // namespace flyball::runtime

template <>
struct std::hash<flyball::runtime::Key> {
  std::size_t operator()(const flyball::runtime::Key& key) const {
    return flyball::kube::detail::hash_words({key.cluster, key.namespace_, key.name}) * 31 + key.shard;
  }
};
