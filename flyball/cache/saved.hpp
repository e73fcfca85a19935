// The saved cache: a store written to a file, so that the next start takes up the watch where this one left it, and
// reads everything again only when the server has forgotten (410).
//
//   Cache cache(client, {.saved = {.folder = "/var/cache/shop-operator", .cluster = server_url}});
//
// Opt-in, one file for each kind and scope. It is written whole, beside the old one, and then takes its place. A file
// that is damaged, cut off, of another cluster, kind, scope or version is left aside with a line in the log: what it
// holds is only ever a shortcut. It holds what the cache holds, Secrets too: its mode is 0600.
//
// Thread-safety: pure functions of a file.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/cache/byte_store.hpp"

namespace flyball::cache {

struct SaveOptions {
  std::string folder = {};   // empty: nothing is saved
  std::string cluster = {};  // what tells this cluster from others: its address, or the uid of kube-system
};

// Whose file it is. All of it must be the same to be read.
struct SavedHead {
  std::string cluster = {};
  std::string kind = {};   // GroupVersionKind::to_string
  std::string scope = {};  // Scope::to_string, and the namespaces
  std::string position = {};
};

// Throws Error, with the file's name, when it cannot be written.
void save_store(const std::string& file, const SavedHead& head, const Snapshot& snapshot);

// Reads it, object by object; the position it ends at. Throws InputError for what it is not, which may come after some
// objects were given. Nothing when there is no such file.
std::optional<std::string> load_store(const std::string& file, const SavedHead& expected,
                                      const std::function<void(const Arrival&)>& each);

}  // namespace flyball::cache
