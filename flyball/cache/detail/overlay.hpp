// Overlay: the program's own writes that the watch has not told of yet. Few, and gone within moments.
//
// A write counts from the moment it was observed (`begin`) until the watch has come to its version (`end`), both in the
// store's epochs. A snapshot sees those that were there when it was taken, also when the watch has caught up since, and
// those of its own reader.
//
// Thread-safety: none; the store guards it. Private to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/client/wire.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/resource_key.hpp"

namespace flyball::cache::detail {

// An object with what its metadata says. It does not move: the metadata points into it.
struct WrittenObject {
  WrittenObject(client::Format in, std::string_view from)
      : format(in),
        bytes(from),
        metadata(in == client::Format::json ? kube::metadata_of(bytes) : kube::metadata_of_message(bytes)) {}
  WrittenObject(const WrittenObject&) = delete;
  WrittenObject& operator=(const WrittenObject&) = delete;

  const client::Format format;
  const std::string bytes;
  const kube::Metadata metadata;
};

struct Written {
  std::shared_ptr<const WrittenObject> object = {};  // none: it is gone
  std::uint64_t version = 0;                         // of one that was deleted: the last that is known
  std::uint32_t uid = 0;                             // a hash
  bool deleted = false;                              // its end has a version that is not known
  std::uint64_t begin = 0;
  std::uint64_t end = UINT64_MAX;
  std::uint64_t writer = 0;  // the snapshot that wrote it
};

class Overlay {
 public:
  using Writes = std::map<kube::ObjectKey, std::vector<Written>>;

  bool empty() const noexcept { return writes_.empty(); }
  // Of objects with a write that the watch has not come to.
  std::size_t count() const;
  std::size_t bytes_held() const noexcept { return bytes_; }

  void add(const kube::ObjectKey& key, Written written);
  // The newest that a reader sees of that object; null when none.
  const Written* find(const kube::ObjectKey& key, std::uint64_t epoch, std::uint64_t reader) const;
  static const Written* newest(const std::vector<Written>& writes, std::uint64_t epoch, std::uint64_t reader);
  const Writes& writes() const noexcept { return writes_; }

  // The watch of a namespace (empty: all) has come to that version. `is_there(key, uid)` says whether the store has it.
  // Gives what was written and is not there: it came and went without the watch telling.
  std::vector<std::shared_ptr<const WrittenObject>> caught_up(
      std::string_view in_namespace, std::uint64_t version, std::uint64_t epoch,
      const std::function<bool(const kube::ObjectKey&, std::uint32_t uid)>& is_there);
  // The watch has told of that object: it is there in that version, or has gone.
  struct Told {
    std::uint64_t version = 0;
    std::uint32_t uid = 0;
    bool gone = false;
    bool going = false;  // it is there, and has a deletionTimestamp
  };
  void told(const kube::ObjectKey& key, const Told& what, std::uint64_t epoch);
  // Forgets what ended before the oldest snapshot.
  void reclaim(std::uint64_t oldest);

 private:
  Writes writes_;
  std::size_t bytes_ = 0;
  bool ended_ = false;  // something waits to be reclaimed
};

}  // namespace flyball::cache::detail
