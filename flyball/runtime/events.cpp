#include "flyball/runtime/events.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "flyball/base/api_error.hpp"
#include "flyball/base/text.hpp"
#include "flyball/kube/names.hpp"

namespace flyball::runtime {
namespace {

using kube::events::v1::Event;

constexpr std::size_t kMostNote = 1024;
constexpr std::size_t kMostWord = 128;
constexpr std::size_t kMostName = 253;
constexpr Duration kRest = std::chrono::seconds(10);

// Not in the middle of a letter.
std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
  return text;
}

// "web.18f3a1c09b2d4e5f". What an object may be called, an event may not always.
std::string event_name(std::string object, Random& random) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), random.next(), 16).ptr;
  const std::string suffix = "." + std::string(digits.begin(), end);
  if (object.size() > kMostName - suffix.size() || !kube::names::dns1123_subdomain(object).empty()) object = "event";
  return object + suffix;
}

std::string named(const kube::core::v1::ObjectReference& object) {
  return object.kind + " " + kube::ObjectKey{object.namespace_, object.name}.to_string();
}

void check(const EventNote& note) {
  const auto need = [](const std::string& value, const char* field) {
    if (value.empty()) throw InputError({}, field, "an event cannot be recorded without it");
  };
  need(note.regarding.name, "regarding.name");
  need(note.regarding.kind, "regarding.kind");
  need(note.reason, "reason");
  need(note.action, "action");
}

}  // namespace

EventRecorder::EventRecorder(Client client, Clock& clock, Random& random, EventRecorderOptions options)
    : client_(std::move(client)),
      clock_(clock),
      random_(random),
      options_(std::move(options)),
      changed_(clock),
      ended_now_(clock),
      book_({options_.series_interval, options_.series_ends, options_.per_object, options_.most_waiting}) {
  if (const auto wrong = kube::names::qualified_name(options_.controller); !wrong.empty()) {
    throw InputError({}, "controller", "\"" + options_.controller + "\" cannot report events: " + wrong.front());
  }
  if (options_.metrics != nullptr) {
    const auto family = options_.metrics->counter(
        "flyball_events_total", "Events that were recorded, by what became of them.", {"controller", "result"});
    const auto of = [&](std::string_view result) { return family.with({options_.controller, result}); };
    counts_ = Counts{of("written"), of("merged"), of("dropped"), of("failed")};
  }
  if (options_.thread) {
    thread_ = std::make_unique<Thread>(clock_, "events", [this, stop = stop_.stop()] { run(stop); });
  }
}

EventRecorder::~EventRecorder() { stop_.request_stop("the event recorder ends"); }

void EventRecorder::count(const Counter Counts::* which) const {
  if (counts_) ((*counts_).*which).add();
}

void EventRecorder::record(const EventNote& note) {
  check(note);
  Event event{.eventTime = clock_.wall_now(),
              .reportingController = options_.controller,
              .reportingInstance = cut(options_.instance.empty() ? options_.controller : options_.instance, kMostWord),
              .action = cut(note.action, kMostWord),
              .reason = cut(note.reason, kMostWord),
              .regarding = note.regarding,
              .note = cut(valid_utf8(note.note), kMostNote),
              .type = note.type == EventType::warning ? "Warning" : "Normal"};
  event.metadata.name = event_name(note.regarding.name, random_);
  event.metadata.namespace_ = note.regarding.namespace_.empty() ? "default" : note.regarding.namespace_;
  if (note.related) event.related = *note.related;

  MutexLock lock(mutex_);
  const auto taken = stopping_ ? detail::EventBook::Taken::dropped : book_.record(std::move(event), clock_.now());
  switch (taken) {
    case detail::EventBook::Taken::dropped: return count(&Counts::dropped);
    case detail::EventBook::Taken::merged: count(&Counts::merged); break;
    case detail::EventBook::Taken::fresh: break;
  }
  changed_.notify_all();
}

bool EventRecorder::step(const Stop& stop) {
  std::optional<detail::EventWrite> next;
  {
    MutexLock lock(mutex_);
    next = book_.take(clock_.now(), stopping_);
  }
  if (!next) return false;
  write(*next, stop);
  return true;
}

void EventRecorder::write(const detail::EventWrite& next, const Stop& stop) {
  const auto give_up = [&](const std::exception& error) {
    options_.log.warn("an event could not be written", "object", named(next.event.regarding), "reason",
                      next.event.reason, "note", next.event.note, "error", error);
    count(&Counts::failed);
    MutexLock lock(mutex_);
    book_.failed(next, std::nullopt);
  };
  const auto later = [&](const std::exception& error) {
    if (next.tries + 1 >= options_.tries) return give_up(error);
    MutexLock lock(mutex_);
    book_.failed(next, clock_.after(random_.jitter(kRest, 0.25)));
  };
  try {
    send(next, client_.with(stop));
    count(&Counts::written);
    MutexLock lock(mutex_);
    book_.written(next, clock_.now());
  } catch (const ApiError& error) {
    // What the server has refused it will refuse again, unless it was not well.
    if (error.code() < 500 && error.reason() != Reason::TooManyRequests) return give_up(error);
    later(error);
  } catch (const Error& error) {
    later(error);
  }
}

void EventRecorder::send(const detail::EventWrite& next, const Client& with) {
  const kube::ObjectKey key{next.event.metadata.namespace_, next.event.metadata.name};
  if (next.patch) {
    const auto& series = *next.event.series;
    const json::Value body = json::object(
        {{"series",
          json::object({{"count", series.count}, {"lastObservedTime", series.lastObservedTime.to_string()}})}});
    try {
      with.patch<Event>(key, client::Patch::merge(body));
      return;
    } catch (const ApiError& error) {
      if (!error.is_not_found()) throw;  // events live for an hour; a series may live longer
    }
  }
  try {
    with.create(next.event);
  } catch (const ApiError& error) {
    if (!error.is_already_exists()) throw;  // written by a try whose answer was lost
  }
}

void EventRecorder::run(const Stop& stop) {
  while (!stop.stopped()) {
    if (step(stop)) continue;
    MutexLock lock(mutex_);
    if (stopping_) break;
    const TimePoint due = book_.next_due();
    changed_.wait_until(mutex_, due, stop,
                        [&]() FLYBALL_REQUIRES(mutex_) { return stopping_ || book_.next_due() < due; });
  }
  MutexLock lock(mutex_);
  ended_ = true;
  ended_now_.notify_all();
}

bool EventRecorder::stop(TimePoint deadline) {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_) {
    MutexLock lock(mutex_);
    ended_now_.wait_until(mutex_, deadline, {}, [&]() FLYBALL_REQUIRES(mutex_) { return ended_; });
  } else {
    const Stop in_time = stop_.stop().with_deadline(clock_, deadline);
    while (!in_time.stopped() && step(in_time)) {
    }
  }
  stop_.request_stop("the event recorder stops");
  if (thread_) thread_->join();
  MutexLock lock(mutex_);
  return book_.waiting() == 0;
}

TimePoint EventRecorder::next_due() const {
  MutexLock lock(mutex_);
  return book_.next_due();
}

std::size_t EventRecorder::waiting() const {
  MutexLock lock(mutex_);
  return book_.waiting();
}

}  // namespace flyball::runtime
