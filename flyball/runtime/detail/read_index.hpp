// ReadIndex: from what was read to the keys that read it. See remembered_reads.hpp.
//
// A point is one thing that can be read: an object, an owner's children, a list. It has a 64-bit name, made of
// everything that says what it is, and knows its readers. An object that changes names the points of objects and
// children itself. A list's point stands in one bucket: of one label that its selector asks for (the one with the
// fewest points yet, so that `app=memcached,name=web-17` is found under the name), of a label that must be there with
// whatever value, or of its namespace; what stands in the buckets of a changed object is compared with it.
//
// Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "flyball/kube/metadata.hpp"
#include "flyball/runtime/key.hpp"
#include "flyball/runtime/read_set.hpp"

namespace flyball::runtime::detail {

using KeyId = std::uint32_t;
using PointName = std::uint64_t;

// The readers of a point: nearly always one.
class Readers {
 public:
  std::uint32_t add(KeyId key);
  // The last one takes its place; gives that one's key.
  KeyId remove(std::uint32_t position);
  std::uint32_t size() const { return any_ ? 1 + static_cast<std::uint32_t>(rest_ ? rest_->size() : 0) : 0; }
  KeyId at(std::uint32_t position) const { return position == 0 ? first_ : (*rest_)[position - 1]; }

 private:
  KeyId first_ = 0;
  bool any_ = false;
  std::unique_ptr<std::vector<KeyId>> rest_;
};

class ReadIndex {
 public:
  // What a key has read, all of it; `also` adds to it.
  void replace(const Key& key, const std::map<std::string, Read>& reads);
  void add(const Key& key, const std::map<std::string, Read>& reads);
  void forget(const Key& key);

  // Who read something that this change touches, each once.
  std::vector<Key> readers(const kube::GroupVersionKind& kind, const kube::Metadata* before,
                           const kube::Metadata* after) const;
  // Whether this key did.
  bool reads(const Key& key, const kube::GroupVersionKind& kind, const kube::Metadata* before,
             const kube::Metadata* after) const;

  std::size_t keys() const { return ids_.size(); }
  bool contains(const Key& key) const { return ids_.contains(key); }
  std::size_t points() const { return points_.size(); }

 private:
  struct ListPart {
    std::string selector;
    std::uint64_t bucket = 0;
    std::uint32_t position = 0;
  };
  struct Point {
    Readers readers = {};
    std::unique_ptr<ListPart> list = {};  // null for what is no list
  };
  // That a key reads a point, and where it stands among its readers.
  struct Place {
    PointName point = 0;
    std::uint32_t position = 0;
  };
  struct Record {
    const Key* key = nullptr;
    std::vector<Place> places = {};  // by point
  };

  KeyId id_of(const Key& key);
  static std::vector<std::pair<PointName, const Read*>> named(const std::map<std::string, Read>& reads);
  Place enter(KeyId key, PointName name, const Read& read);
  void leave(const Place& place);
  void move_reader(KeyId key, PointName point, std::uint32_t position);
  void into_bucket(PointName name, Point& point, const Read& read);
  void out_of_bucket(const ListPart& list);
  std::uint64_t best_bucket(const Read& read) const;
  std::vector<PointName> touched(const kube::GroupVersionKind& kind, const kube::Metadata* before,
                                 const kube::Metadata* after) const;

  std::unordered_map<Key, KeyId> ids_;
  std::vector<Record> records_;  // by id
  std::vector<KeyId> free_;
  std::unordered_map<PointName, Point> points_;
  std::unordered_map<std::uint64_t, std::vector<PointName>> buckets_;
};

}  // namespace flyball::runtime::detail
