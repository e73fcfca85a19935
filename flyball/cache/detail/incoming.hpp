// What comes into a store, on its way in. Private to the store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/cache/byte_store.hpp"

namespace flyball::cache {

struct ByteStore::Incoming {
  Format format;
  std::string_view bytes;
  const kube::Metadata& metadata;
  std::uint32_t hash;
  std::uint32_t uid;
  std::uint64_t version;
  EntryId id = detail::KeyTable::kNone;               // when there is one of that key
  GroupId group = 0;                                  // held until it is swapped in
  std::vector<std::vector<std::string>> values = {};  // of the user's indexes, in their order
};

}  // namespace flyball::cache
