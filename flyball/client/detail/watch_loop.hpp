// WatchLoop: the inside of Watch, a state machine that moves one event at a time. Private to the room.
//
//   resync ──> initial (WatchList) ──────────> watch ──> watch ... a stream after the other, at the last version
//     ^  \───> list (page after page) ────────/  │
//     └── cut short, or the history is gone ─────┘
//
// A failure leaves a state from which the next step does the right thing: what was given to the consumer stays given.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/base/api_error.hpp"
#include "flyball/client/detail/list_page.hpp"
#include "flyball/client/detail/watch_instruments.hpp"
#include "flyball/client/watch.hpp"

namespace flyball::client::detail {

class WatchLoop {
 public:
  WatchLoop(Transport& transport, Clock& clock, Random& random, WatchOptions options);

  const WatchEvent* next(const Stop& stop);
  const WatchEvent* poll(const Stop& stop);
  TimePoint next_due() const { return clock_.now() < retry_at_ ? retry_at_ : silent_at_; }
  WatchStatus status() const { return instruments_.status(); }

 private:
  enum class Phase : std::uint8_t { resync, initial, list, watch };
  // The server's answer was no answer of a watch or a list but a refusal.
  struct Refused {
    ApiError error;
  };

  // Goes on until there is an event. Null when it would have to wait: at the stop, and when polling.
  const WatchEvent* go_on(const Stop& stop);
  // One step on: an event, or null when there is more to do. Throws what the transport and the decoders throw, Refused,
  // and Stopped at the stop or when the server was silent for too long.
  const WatchEvent* step(const Stop& stop);
  const WatchEvent* begin_resync();
  const WatchEvent* step_list(const Stop& stop);
  const WatchEvent* step_stream(const Stop& stop);

  // What a frame means; null when the consumer has nothing of it.
  const WatchEvent* take(WatchFrame& frame);
  const WatchEvent* take_bookmark(const WatchFrame& frame);
  void take_error(const WatchFrame& frame);
  const WatchEvent* end_page(const kube::meta::v1::ListMeta& list);
  const WatchEvent* synced(std::string resource_version);
  const WatchEvent* give(WatchEvent::Kind kind, Format format, std::string_view object, kube::Metadata metadata);
  const WatchEvent* give(WatchEvent::Kind kind);

  // Opens `request`, whose answer's format is returned.
  Format open(net::Request request, const Stop& stop);
  [[noreturn]] void refuse(const std::string& about, const Stop& stop);
  void open_stream(const Stop& stop);
  // Waits for bytes, empty at the end of the body. No longer than the idle timeout since the last event.
  std::string read(const Stop& stop);
  void heard();
  void close();

  // What went wrong, and what to do about it. The first throws when the consumer has to know.
  void was_refused(const ApiError& error);
  void broke(const Error& error);
  void went_silent(const Error& error);
  void ended();
  // The stream that is open has lasted long enough to say that the server is well.
  bool has_lived() const;
  void expired(const ApiError& error);
  // The state of a list or of the initial events after a failure.
  void cut_short();
  void resync();
  void list_instead();
  // The pause before the next try. Returns it.
  Duration pause(std::optional<std::chrono::seconds> asked = {});
  void warn(std::string_view message, const Error& error, Duration pause);

  // Constant after construction.
  Transport& transport_;
  Clock& clock_;
  Random& random_;
  const WatchOptions options_;
  const kube::GroupVersionKind kind_;
  const std::string api_version_;

  WatchInstruments instruments_;

  Phase phase_;
  bool watch_list_;            // for the resync under way
  bool watch_list_known_;      // the server does not ignore that we ask for it
  std::string position_;       // the version up to which the consumer knows everything
  std::string list_position_;  // of the list under way
  std::string continue_;       // where its next page begins
  std::size_t page_size_;
  std::size_t given_ = 0;          // objects since resync_begin
  std::size_t given_in_page_ = 0;  // of the page under way
  std::size_t skip_ = 0;           // items of the page that were given before it broke off

  std::unique_ptr<BodyStream> stream_;
  std::optional<WatchDecoder> decoder_;
  std::optional<ListPage> page_;
  WatchEvent event_;
  bool polling_ = false;  // nothing may wait

  TimePoint opened_at_ = {};
  TimePoint silent_at_ = kNever;  // when the wait under way has lasted too long
  bool waiting_ = false;          // nothing whole has come since silent_at_ was set
  bool heard_in_stream_ = false;
  int silent_streams_ = 0;  // one after the other, without a word
  int errors_ = 0;          // ERROR events, without progress

  TimePoint retry_at_ = {};
  int failures_ = 0;     // without progress
  int expirations_ = 0;  // answers 410, without progress
  bool worked_ = false;  // the server has answered once
  bool troubled_ = false;
  std::optional<TimePoint> refused_since_ = {};
};

}  // namespace flyball::client::detail
