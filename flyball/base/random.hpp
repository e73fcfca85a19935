// Random: the only source of chance. Passed in by reference; the same seed gives the same sequence on every platform.
//
//   Random random = Random::from_os();                  // production
//   Random random(42);                                  // tests and simulation
//   pause_until(clock, clock.after(random.jitter(30s, 0.1)), stop);
//
// The generator is xoshiro256++. It is good for jitter, names and test data, not for keys: those come from OpenSSL.
//
// Thread-safety: all members may be called from any thread. Two threads that share one Random share its sequence in an
// order that is not repeatable; give each its own with fork() where that matters.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"

namespace flyball {

class Random {
 public:
  explicit Random(std::uint64_t seed);
  Random(Random&& other) noexcept;
  // Seeded by the operating system.
  static Random from_os();
  // A seed from the operating system, to be logged so that a run can be repeated.
  static std::uint64_t os_seed();

  // A generator of its own, decided by this one's state: it moves this one on by one step.
  Random fork() { return Random(next()); }

  // 64 random bits.
  std::uint64_t next();
  // A whole number from `low` to `high`, both included, each as likely. `low` must not be above `high`.
  std::int64_t between(std::int64_t low, std::int64_t high);
  // A whole number below `bound`, which must not be 0: the index of one of `bound` things.
  std::uint64_t below(std::uint64_t bound);
  // In [0, 1).
  double uniform();
  // True with this probability.
  bool chance(double probability) { return uniform() < probability; }

  // `d` made longer by a random part of up to `factor`: jitter(10s, 0.2) lies in [10s, 12s).
  Duration jitter(Duration d, double factor);

  // A suffix as Kubernetes gives to generated names: letters and digits that spell no words and look unlike each other.
  std::string name_suffix(std::size_t length = 5);
  // A version 4 UUID: "1f0c6a52-8a5d-4c3e-9b7a-5e2d41c8f0ab".
  std::string uuid();

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  using State = std::array<std::uint64_t, 4>;
  explicit Random(const State& state) : state_(state) {}
  State take() const;

  mutable Mutex mutex_;
  State state_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball
