#include "cli/rollout.hpp"

#include <algorithm>
#include <ostream>
#include <set>

#include "cli/condition_text.hpp"
#include "cli/event_lines.hpp"
#include "cli/targets.hpp"

namespace flyball::cli {
namespace {

// How often pods are looked at while nothing is heard of their owner.
constexpr auto kLookAgain = std::chrono::seconds(1);

std::string newest_warning(Access& access, const json::Value& object) {
  const auto events = find_events(access, {.namespace_ = std::string(object["metadata"]["namespace"].string_or("")),
                                           .uid = std::string(object["metadata"]["uid"].string_or("")),
                                           .type = "Warning"});
  if (events.empty()) return "";
  return std::string(events.back()["reason"].string_or("")) + ": " +
         std::string(events.back()["message"].string_or(""));
}

std::string trouble_of(Access& access, const json::Value& pod) {
  const State state = state_of(pod);
  if (state.good) return "";
  std::string text = "pod/" + std::string(pod["metadata"]["name"].string_or("")) + " " + state.word;
  if (!state.why.empty()) return text + "  " + state.why;
  const std::string warning = newest_warning(access, pod);
  return warning.empty() ? text : text + "  " + warning;
}

void wait_for_one(Access& access, const Place& place, const Stop& stop, Io& io) {
  client::Watch watch = access.client().watch(
      client::WatchOptions{.resource = place.resource, .namespace_ = place.key.namespace_, .name = place.key.name});
  const std::string title = title_of(place.resource, place.key.name);
  json::Value last;
  std::string said;
  std::set<std::string> told;
  while (!stop.stopped()) {
    const Stop soon = stop.with_deadline(access.clock(), std::min(stop.deadline(), access.clock().after(kLookAgain)));
    const client::WatchEvent* event = watch.next(soon);
    if (event != nullptr && event->object.empty()) continue;
    if (event != nullptr) last = client::to_json(*event);
    if (!last.is_object()) continue;
    const State state = state_of(last);
    if (state.word != said) io.out << "  " << title << "  " << state.word << std::endl;
    said = state.word;
    if (state.good) return;
    for (const std::string& line : troubles_of(access, last)) {
      // What passes by itself is no trouble: only what a container or the scheduler complains of is told.
      if (line.find("  ") != std::string::npos && told.insert(line).second) io.out << "    " << line << std::endl;
    }
  }
  std::string text = title + " is not ready: " + (said.empty() ? "it is not there" : said);
  for (const std::string& line : last.is_object() ? troubles_of(access, last) : std::vector<std::string>())
    text += "\n  " + line;
  const std::string warning = last.is_object() ? newest_warning(access, last) : "";
  throw Error(text + (warning.empty() ? "" : "\n  " + warning) + "\n  `flyball describe " + title +
              "` and `flyball logs " + title + "` tell more; --timeout gives it more time");
}

}  // namespace

bool is_workload(const client::Resource& resource) {
  const std::string& kind = resource.kind.kind;
  return resource.kind.group == "apps" && (kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet");
}

std::vector<std::string> troubles_of(Access& access, const json::Value& workload) {
  std::string selector;
  for (const auto [name, value] : workload["spec"]["selector"]["matchLabels"].entries()) {
    selector += (selector.empty() ? "" : ",") + std::string(name) + "=" + std::string(value.string_or(""));
  }
  std::vector<std::string> lines;
  if (selector.empty()) return lines;
  for (const json::Value& pod : access.client()
                                    .dynamic({"", "v1", "Pod"})
                                    .list({.namespace_ = std::string(workload["metadata"]["namespace"].string_or("")),
                                           .selector = kube::Selector::parse(selector)})) {
    if (const std::string line = trouble_of(access, pod); !line.empty()) lines.push_back(line);
  }
  return lines;
}

void wait_for_rollout(Access& access, const std::vector<Place>& places, const Stop& stop, Io& io) {
  for (const Place& place : places) wait_for_one(access, place, stop, io);
}

}  // namespace flyball::cli
