// Gate: lets work in until it is closed, then waits for what is inside. The way every component ends: close the gate,
// and nothing of yours runs any more.
//
//   if (auto pass = gate_.try_enter()) serve(request);    // leaves when `pass` goes out of scope
//   ...
//   gate_.close(clock.after(10s));                        // refuses new work, waits for the old
//
// Thread-safety: all members may be called from any thread. Lifetime: outlives its passes; a close() that returned true
// means there are none.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "flyball/base/condition.hpp"
#include "flyball/base/error.hpp"

namespace flyball {

class GateClosed : public Error {
 public:
  using Error::Error;
};

class Gate {
 public:
  class [[nodiscard]] Pass {
   public:
    Pass(Pass&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
    Pass& operator=(Pass&& other) noexcept {
      std::swap(gate_, other.gate_);
      return *this;
    }
    ~Pass() {
      if (gate_ != nullptr) gate_->leave();
    }

   private:
    friend class Gate;
    explicit Pass(Gate& gate) : gate_(&gate) {}
    Gate* gate_;
  };

  // `name` says in errors what was closed: "webhook server".
  Gate(Clock& clock, std::string name) : name_(std::move(name)), empty_(clock) {}

  // Empty when the gate is closed.
  std::optional<Pass> try_enter();
  // Throws GateClosed when the gate is closed.
  Pass enter();

  // Refuses new work from now on and waits for the work inside: true when all of it left, false when the deadline or
  // the stop came first. The gate stays closed either way; call again to wait longer.
  bool close(TimePoint deadline = kNever, const Stop& stop = {});

  bool closed() const noexcept { return (state_.load(std::memory_order_acquire) & kClosed) != 0; }
  std::uint64_t inside() const noexcept { return state_.load(std::memory_order_acquire) & ~kClosed; }

 private:
  static constexpr std::uint64_t kClosed = std::uint64_t{1} << 63;
  void leave();

  // Constant after construction.
  const std::string name_;

  // The number inside, and kClosed. Once closed it changes only under mutex_, so that whoever sees it reach zero knows
  // that the last one out is done with the gate.
  std::atomic<std::uint64_t> state_ = 0;

  Mutex mutex_;
  Condition empty_;
};

}  // namespace flyball
