#include "flyball/runtime/detail/event_book.hpp"

#include <algorithm>

namespace flyball::runtime::detail {
namespace {

std::string object_of(const kube::events::v1::Event& event) {
  const auto& object = event.regarding;
  return object.kind + '\0' + object.namespace_ + '\0' + object.name + '\0' + object.uid + '\0';
}

std::string identity_of(const kube::events::v1::Event& event) {
  std::string text = object_of(event) + event.type + '\0' + event.reason + '\0' + event.action + '\0' + event.note;
  if (event.related) text += '\0' + event.related->kind + '/' + event.related->namespace_ + '/' + event.related->name;
  return text;
}

}  // namespace

EventBook::Taken EventBook::record(kube::events::v1::Event event, TimePoint now) {
  sweep(now);
  const std::string identity = identity_of(event);
  const auto known = series_.find(identity);
  if (known != series_.end() && now - known->second.seen < options_.series_ends) {
    Series& series = known->second;
    ++series.count;
    series.seen = now;
    series.event.series = {{.count = series.count, .lastObservedTime = event.eventTime}};
    if (!series.waits) {
      if (due_.size() >= options_.most_waiting) return Taken::dropped;
      wait(identity, series, std::max(now, series.written + options_.series_interval));
    }
    return Taken::merged;
  }
  if (known != series_.end() && known->second.waits) due_.erase({known->second.due, identity});
  if (due_.size() >= options_.most_waiting || over_limit(event, now)) return Taken::dropped;
  Series& series = series_[identity];
  series = {.event = std::move(event), .seen = now};
  wait(identity, series, now);
  return Taken::fresh;
}

bool EventBook::over_limit(const kube::events::v1::Event& event, TimePoint now) {
  return !limits_.try_emplace(object_of(event), options_.per_object).first->second.try_take(now);
}

void EventBook::wait(const std::string& identity, Series& series, TimePoint due) {
  series.waits = true;
  series.due = due;
  due_.insert({due, identity});
}

std::optional<EventWrite> EventBook::take(TimePoint now, bool all) {
  if (due_.empty() || (!all && due_.begin()->first > now)) return std::nullopt;
  const std::string identity = due_.begin()->second;
  due_.erase(due_.begin());
  Series& series = series_.at(identity);
  series.waits = false;
  return EventWrite{identity, series.event, series.stored, series.tries};
}

void EventBook::written(const EventWrite& write, TimePoint now) {
  const auto found = series_.find(write.identity);
  if (found == series_.end()) return;
  Series& series = found->second;
  series.stored = true;
  series.tries = 0;
  series.written = now;
  series.event.metadata.name = write.event.metadata.name;
  // It was repeated while it was on its way: not before its time.
  if (!series.waits) return;
  due_.erase({series.due, write.identity});
  wait(write.identity, series, now + options_.series_interval);
}

void EventBook::failed(const EventWrite& write, std::optional<TimePoint> again) {
  const auto found = series_.find(write.identity);
  if (found == series_.end()) return;
  Series& series = found->second;
  if (series.waits) due_.erase({series.due, write.identity});
  series.waits = false;
  if (!again) {
    series_.erase(found);
    return;
  }
  ++series.tries;
  wait(write.identity, series, *again);
}

void EventBook::sweep(TimePoint now) {
  if (series_.size() + limits_.size() < sweep_at_) return;
  std::erase_if(series_,
                [&](const auto& of) { return !of.second.waits && now - of.second.seen >= options_.series_ends; });
  // A limit that has its whole burst back is as good as none.
  std::erase_if(limits_, [&](const auto& of) { return of.second.rested(now); });
  sweep_at_ = std::max<std::size_t>(1024, 2 * (series_.size() + limits_.size()));
}

}  // namespace flyball::runtime::detail
