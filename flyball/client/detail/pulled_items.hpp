// PulledItems: items of a stream one at a time, from a splitter that hands over all that a chunk has. Nothing is copied
// but the one item per chunk that began in an earlier one. Private to the room.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flyball::client::detail {

class PulledItems {
 public:
  // Takes the chunk through `split(chunk, each)`. Call it when next() has nothing left. What the splitter throws comes
  // out of next(), after the items before it.
  template <class Split>
  void feed(std::string chunk, Split&& split) {
    chunk_ = std::move(chunk);
    items_.clear();
    at_ = 0;
    try {
      split(std::string_view(chunk_), [this](std::string_view item) { add(item); });
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  // The next item, good until the next call of feed(). False: there is none in what was fed.
  bool next(std::string_view& item) {
    if (at_ == items_.size()) {
      if (failure_) std::rethrow_exception(failure_);
      return false;
    }
    item = items_[at_++];
    return true;
  }

 private:
  void add(std::string_view item) {
    const bool inside = item.data() >= chunk_.data() && item.data() <= chunk_.data() + chunk_.size();
    // Only the first item of a chunk can have begun before it.
    if (!inside) item = spanning_.assign(item);
    items_.push_back(item);
  }

  std::string chunk_;
  std::string spanning_;
  std::vector<std::string_view> items_;
  std::size_t at_ = 0;
  std::exception_ptr failure_;
};

}  // namespace flyball::client::detail
