// Packer: makes the objects of one kind small. They resemble each other, so a dictionary learned from the first ones
// says most of each.
//
//   Packer packer;
//   const Packed packed = packer.pack(bytes);
//   packer.unpack(packed.bytes, packed.dictionary);      // the same bytes again
//
// The first objects are packed alone; when there are enough of them (`wants_samples`), whoever stores them gives some
// of the latest back as samples, a dictionary is made, and the objects after it cost a tenth. The old ones are then
// packed anew. When objects stop looking like the dictionary, samples are wanted again. A dictionary lives as long as
// objects are packed with it: `retain` and `release` count them. What does not become smaller is kept as it is (kRaw).
//
// Errors: Error when packed bytes are damaged. Thread-safety: pack, retain and release by one thread at a time (the
// reflector's); unpack by any thread for objects that are retained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/mutex.hpp"

namespace flyball::cache {

// Which dictionary something was packed with.
using DictionaryId = std::uint16_t;
inline constexpr DictionaryId kRaw = 0;             // not packed at all
inline constexpr DictionaryId kAlone = 1;           // packed without a dictionary
inline constexpr DictionaryId kDelta = UINT16_MAX;  // not by a packer, but by another object: delta.hpp

struct Packed {
  DictionaryId dictionary = kRaw;
  std::string_view bytes = {};  // good until the next pack
};

struct PackerOptions {
  std::size_t dictionary_bytes = std::size_t{110} * 1024;
  std::size_t sample_bytes = std::size_t{1024} * 1024;  // of objects to learn from
  std::size_t fewest_samples = 64;
  int level = 3;  // zstd's
};

class Packer {
 public:
  explicit Packer(PackerOptions options = {});
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  // With the newest dictionary.
  Packed pack(std::string_view bytes);
  // The same of an object that was packed before: it says nothing about what comes now.
  Packed repack(std::string_view bytes);
  std::string unpack(std::string_view packed, DictionaryId dictionary) const;
  // The same of what is unpacked time and again: a thread remembers the last one. Good until its next call, of any
  // packer.
  const std::string& unpack_again(std::string_view packed, DictionaryId dictionary) const;

  // Whether there have been enough objects to learn from, or they have stopped looking like the dictionary.
  bool wants_samples() const noexcept;
  // From objects as they came, one after the other; the last few are not learned from but tried. What was learned
  // becomes the newest dictionary when it is clearly better than the one before.
  void learn(std::string_view samples, const std::vector<std::size_t>& sizes);

  // How much an object that is packed now takes of what it was, as the latest did.
  double ratio() const noexcept;
  // The newest dictionary; kAlone before the first.
  DictionaryId dictionary() const noexcept { return newest_; }
  // An object packed with it is stored, and no longer.
  void retain(DictionaryId dictionary);
  void release(DictionaryId dictionary);
  // Of dictionaries and of what packing needs.
  std::size_t bytes_held() const;

 private:
  struct Dictionary;
  struct Packing;
  struct Contexts;

  std::size_t compress(std::string_view bytes, const Packing* packing);
  std::string train(std::string_view samples, const std::vector<std::size_t>& sizes) const;
  void adopt(std::shared_ptr<const Dictionary> dictionary, std::unique_ptr<const Packing> packing);
  void watch_ratio(std::size_t bytes, std::size_t packed);
  std::shared_ptr<const Dictionary> find(DictionaryId id) const;

  // Constant after construction.
  const PackerOptions options_;
  const std::unique_ptr<Contexts> contexts_;

  // The packing thread's.
  std::unique_ptr<const Packing> packing_;  // of the newest dictionary; none before the first
  std::string buffer_;
  bool sampling_ = true;
  std::size_t seen_ = 0;  // while sampling
  std::size_t seen_bytes_ = 0;
  DictionaryId newest_ = kAlone;
  double learned_ratio_ = 0;  // packed bytes per byte, just after the newest was learned
  double recent_ratio_ = 0;   // a moving average
  std::size_t since_learned_ = 0;
  std::map<DictionaryId, std::size_t> stored_;  // objects by dictionary

  mutable Mutex mutex_;
  std::map<DictionaryId, std::shared_ptr<const Dictionary>> dictionaries_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::cache
