// A sequence with cheap insertion anywhere. Private to the room.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace flyball::json {

// A list of short vectors. Getting, inserting or erasing at an index passes over the chunks before it and moves at
// most one chunk's elements, so that ten thousand edits at the front of a million elements stay cheap.
// References to elements are good until the next insert or erase.
template <class T>
class Chunks {
 public:
  std::size_t size() const { return size_; }

  T& operator[](std::size_t index) {
    const Place place = locate(index);
    return chunks_[place.chunk][place.offset];
  }

  void push_back(T value) {
    if (chunks_.empty() || chunks_.back().size() >= kFill) chunks_.emplace_back();
    chunks_.back().push_back(std::move(value));
    ++size_;
  }

  // `index` may be size(): the end.
  void insert(std::size_t index, T value) {
    if (index == size_) return push_back(std::move(value));
    const Place place = locate(index);
    auto& chunk = chunks_[place.chunk];
    chunk.insert(chunk.begin() + static_cast<std::ptrdiff_t>(place.offset), std::move(value));
    ++size_;
    if (chunk.size() > 2 * kFill) split(place.chunk);
  }

  T erase(std::size_t index) {
    const Place place = locate(index);
    auto& chunk = chunks_[place.chunk];
    T value = std::move(chunk[place.offset]);
    chunk.erase(chunk.begin() + static_cast<std::ptrdiff_t>(place.offset));
    if (chunk.empty()) chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(place.chunk));
    --size_;
    return value;
  }

  // The chunks in their order, none of them empty, for whoever passes over all elements.
  std::vector<std::vector<T>>& chunks() { return chunks_; }

 private:
  static constexpr std::size_t kFill = 512;
  struct Place {
    std::size_t chunk;
    std::size_t offset;
  };

  Place locate(std::size_t index) const {
    std::size_t chunk = 0;
    while (index >= chunks_[chunk].size()) index -= chunks_[chunk++].size();
    return {chunk, index};
  }

  void split(std::size_t at) {
    auto& full = chunks_[at];
    std::vector<T> rest(full.begin() + kFill, full.end());
    full.resize(kFill);
    chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(rest));
  }

  std::vector<std::vector<T>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace flyball::json
