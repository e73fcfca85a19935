// Stop: "should I still be doing this?" A token that carries a stop request with its reason, and a deadline.
// Everything that runs or waits takes one.
//
//   StopSource shutdown;                                     // the root; production ties it to SIGTERM
//   StopSource request(shutdown.stop(), clock, deadline);    // a branch with its own, shorter life
//   serve(request.stop());
//   request.request_stop("the client hung up");              // stops this branch, not the root
//
// A branch is stopped when it is asked to, when any stop above it is, or when the nearest deadline above it passes.
// A deadline is noticed by whoever asks (`stopped()`) or waits (Condition); callbacks run only for requests. Where a
// callback must also run at the deadline, arm the source with Timers::stop_at_deadline (timers.hpp).
//
// Thread-safety: all members of all three classes may be called from any thread.
// Lifetime: tokens keep the shared state alive and may outlive their source. A clock that was given outlives the
// tokens.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"

namespace flyball {

namespace detail {
class StopState;
}

// The reason of a stop that came from a deadline.
inline constexpr std::string_view kDeadlinePassed = "the deadline passed";

// Thrown by throw_if_stopped: the work was told to stop, or ran past its deadline.
class Stopped : public Error {
 public:
  explicit Stopped(const std::string& reason)
      : Error("stopped: " + reason), deadline_passed_(reason == kDeadlinePassed) {}
  bool deadline_passed() const noexcept { return deadline_passed_; }

 private:
  bool deadline_passed_;
};

// The token. Cheap to copy; a default-made one never stops.
class Stop {
 public:
  Stop() = default;

  // Asked to stop, or past the deadline.
  bool stopped() const noexcept;
  // Asked to stop.
  bool requested() const noexcept;
  // Why; empty while not stopped.
  std::string reason() const;
  // The nearest deadline on the way to the root; kNever without one.
  TimePoint deadline() const noexcept;
  void throw_if_stopped() const;

  // A branch with a deadline and no source of its own.
  Stop with_deadline(Clock& clock, TimePoint deadline) const;

 private:
  friend class StopSource;
  friend class StopCallback;
  explicit Stop(std::shared_ptr<detail::StopState> state) : state_(std::move(state)) {}

  std::shared_ptr<detail::StopState> state_;
};

// The one who decides. Destroying a source does not stop its tokens.
class StopSource {
 public:
  StopSource();
  explicit StopSource(const Stop& parent);
  StopSource(const Stop& parent, Clock& clock, TimePoint deadline);

  Stop stop() const { return Stop(state_); }

  // Stops the branch and runs the callbacks on this thread. False when it was requested before; the first reason stays.
  bool request_stop(std::string reason = "stop was requested");

 private:
  std::shared_ptr<detail::StopState> state_;
};

// Runs `callback` once when a stop is requested: on the requesting thread, or here and now if it already was.
// After the destructor returned, the callback is not running and never will. The callback must not throw.
class StopCallback {
 public:
  StopCallback(const Stop& stop, std::function<void()> callback);
  ~StopCallback();
  StopCallback(const StopCallback&) = delete;
  StopCallback& operator=(const StopCallback&) = delete;

 private:
  friend class detail::StopState;

  // Constant after construction.
  std::shared_ptr<detail::StopState> state_;

  // Guarded by the mutex of *state_.
  std::function<void()> callback_;
  StopCallback* previous_ = nullptr;
  StopCallback* next_ = nullptr;
  bool linked_ = false;
};

}  // namespace flyball
