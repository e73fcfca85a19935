// Delta: an object said by how it differs from one like it, its base. Pods of one ReplicaSet differ in a few hundred
// bytes of seven thousand; said so they take half of what a dictionary makes of them, and are back in half a
// microsecond.
//
//   DeltaEncoder encoder;
//   encoder.set_base(1, pod);
//   const std::string_view delta = encoder.encode(sibling, sibling.size() / 4);   // empty: it would not be that small
//   apply_delta(pod, delta);                                                       // the sibling again
//
// The delta is copies (from the base, or from what of the object came before) and what lies between them, as it is or,
// of hexadecimal digits, two in a byte.
//
// Errors: Error when a delta is damaged or of another base, as far as that shows. Thread-safety: an encoder belongs to
// one thread; apply_delta is a pure function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flyball::cache {

class DeltaEncoder {
 public:
  // `id` is the caller's name for it, never 0. Objects of one base mostly come one after the other: what was found out
  // about it is kept until the next.
  void set_base(std::uint64_t id, std::string base);
  std::uint64_t base_id() const noexcept { return base_id_; }

  // Good until the next call. Empty when it would take more than `limit` bytes.
  std::string_view encode(std::string_view bytes, std::size_t limit);

  std::size_t bytes_held() const noexcept {
    return base_.capacity() + delta_.capacity() + (base_places_.capacity() + own_places_.capacity()) * sizeof(Place);
  }

 private:
  using Place = std::uint32_t;  // one more than a position; 0: none
  struct Match {
    std::size_t from = 0;  // in the base, or behind it in the object
    std::size_t length = 0;
  };

  // What has been said, and what is being looked at.
  struct State {
    std::string_view bytes;
    std::size_t at = 0;
    std::size_t literal = 0;   // where what is not copied begins
    std::size_t expected = 0;  // in the base, beside `literal`
  };
  Match find(const State& state) const;
  Match extended(State& state, std::size_t from) const;
  void say(State& state, const Match& match);

  std::uint64_t base_id_ = 0;
  std::string base_;
  std::string delta_;
  std::vector<Place> base_places_;  // by the hash of eight bytes
  std::vector<Place> own_places_;
};

std::string apply_delta(std::string_view base, std::string_view delta);

}  // namespace flyball::cache
