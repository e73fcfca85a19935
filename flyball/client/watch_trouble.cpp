// What a watch does when something went wrong.
#include <algorithm>

#include "flyball/client/detail/watch_loop.hpp"

namespace flyball::client::detail {
namespace {

using namespace std::chrono_literals;

// A stream that ends sooner than that has not worked, whatever it says.
constexpr Duration kShortLife = 1s;
// After so many streams in which a server has nothing to say, not even a bookmark, we look for ourselves: its history
// may have been put back to before our version, and then it waits for us to be born.
constexpr int kSilentStreams = 3;

bool is_expired(const ApiError& error) { return error.code() == 410; }

bool is_passing(const ApiError& error) { return error.code() == 429 || error.code() == 408 || error.code() >= 500; }

// The version is one that the server has not come to: it was put back to an earlier state.
bool is_from_the_future(const ApiError& error) {
  return std::ranges::any_of(error.causes(),
                             [](const auto& cause) { return cause.reason == "ResourceVersionTooLarge"; });
}

}  // namespace

void WatchLoop::was_refused(const ApiError& error) {
  close();
  if (is_expired(error)) return expired(error);
  if (phase_ == Phase::initial && (error.code() == 400 || error.code() == 422)) {
    instruments_.log().info("the server does not stream its present state; its lists are read instead", "error", error);
    return list_instead();
  }
  instruments_.restart("refused");
  cut_short();
  if (phase_ == Phase::watch && is_from_the_future(error)) resync();
  const Duration wait = pause(error.retry_after());
  warn("the server refused", error, wait);
  if (is_passing(error)) return;
  // A server that has just started says no to everybody for a while.
  if (!refused_since_) refused_since_ = clock_.now();
  if (worked_ && clock_.now() - *refused_since_ < options_.patience) return;
  throw ApiError(error);
}

bool WatchLoop::has_lived() const { return stream_ != nullptr && clock_.now() - opened_at_ >= kShortLife; }

void WatchLoop::broke(const Error& error) {
  // A quiet kind has no events to show that the server was well, and would wait longer after each outage.
  if (phase_ == Phase::watch && has_lived()) failures_ = expirations_ = 0;
  close();
  instruments_.restart("broken");
  cut_short();
  warn("the watch broke off", error, pause());
}

void WatchLoop::went_silent(const Error& error) {
  if (stream_ == nullptr) return broke(error);
  close();
  instruments_.restart("silent");
  if (phase_ == Phase::initial) watch_list_ = false;
  cut_short();
  if (phase_ == Phase::watch && !heard_in_stream_ && ++silent_streams_ >= kSilentStreams) {
    silent_streams_ = 0;
    resync();
  }
  // At once: that long a silence is pause enough.
  troubled_ = true;
  instruments_.trouble(std::string("the server was silent for too long: ") + error.what());
  instruments_.log().info("no event and no bookmark came for the idle timeout; the watch is opened anew",
                          "idle_timeout", options_.idle_timeout, "version", position_);
}

void WatchLoop::ended() {
  const bool lived = has_lived();
  close();
  instruments_.restart("ended");
  if (phase_ == Phase::initial) {
    watch_list_ = false;
    cut_short();
    return warn("the stream ended before the present state had come", Error("the server closed it"), pause());
  }
  if (!lived) return warn("the stream ended at once", Error("the server closed it"), pause());
  failures_ = expirations_ = 0;
  instruments_.log().debug("the server ended the stream, as agreed", "version", position_);
}

void WatchLoop::expired(const ApiError& error) {
  instruments_.restart("expired");
  instruments_.log().info("the server no longer has the history to go on; everything is read again", "error", error,
                          "version", phase_ == Phase::watch ? position_ : list_position_);
  // Pages that expire take longer than the server keeps its history.
  if (phase_ == Phase::list) page_size_ = 0;
  resync();
  // The first time it is an answer, and of a server that is well: after an outage nobody has to wait once more.
  if (expirations_++ > 0) pause();
}

void WatchLoop::resync() {
  close();
  // Nothing was given since the last resync_begin: it still holds.
  if (phase_ != Phase::watch && given_ == 0) {
    continue_.clear();
    return;
  }
  phase_ = Phase::resync;
}

void WatchLoop::list_instead() {
  watch_list_ = false;
  close();
  phase_ = given_ == 0 ? Phase::list : Phase::resync;
}

void WatchLoop::cut_short() {
  if (phase_ == Phase::initial) {
    watch_list_ ? resync() : list_instead();
    return;
  }
  if (phase_ != Phase::list) return;
  // All pages but the first are of a version that is fixed: the same items come in the same order.
  if (!continue_.empty()) {
    skip_ = given_in_page_;
    return;
  }
  resync();
}

Duration WatchLoop::pause(std::optional<std::chrono::seconds> asked) {
  Duration wait = options_.first_pause;
  for (int i = 0; i < failures_ && wait < options_.longest_pause; ++i) wait *= 2;
  wait = random_.jitter(std::min(wait, options_.longest_pause), 1.0);
  if (asked) wait = std::max(wait, random_.jitter(*asked, 0.1));
  ++failures_;
  retry_at_ = clock_.after(wait);
  return wait;
}

void WatchLoop::warn(std::string_view message, const Error& error, Duration pause) {
  troubled_ = true;
  instruments_.trouble(std::string(message) + ": " + error.what());
  instruments_.log().warn(message, "error", error, "version", position_, "next_try_in", pause);
}

}  // namespace flyball::client::detail
