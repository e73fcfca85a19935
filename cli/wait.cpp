// flyball wait: until objects are as they should be.
#include <algorithm>
#include <ostream>

#include "cli/applying.hpp"
#include "cli/commands.hpp"
#include "cli/condition_text.hpp"
#include "cli/flags.hpp"
#include "cli/targets.hpp"

#include "flyball/json/write.hpp"

namespace flyball::cli {
namespace {

struct Wanted {
  enum class What { condition, field, ready, gone, there };
  What what = What::ready;
  std::string name = {};   // of the condition, or the field's path
  std::string value = {};  // it should have
};

Wanted wanted_of(const std::string& text) {
  if (text == "delete") return {Wanted::What::gone};
  if (text == "create") return {Wanted::What::there};
  if (text == "ready") return {Wanted::What::ready};
  const std::size_t equals = text.find('=');
  const std::string first = text.substr(0, equals);
  const std::string rest = equals == std::string::npos ? "" : text.substr(equals + 1);
  const std::size_t second = rest.find('=');
  if (first == "condition" && !rest.empty()) {
    return {Wanted::What::condition, rest.substr(0, second),
            second == std::string::npos ? "True" : rest.substr(second + 1)};
  }
  if (first.starts_with('.') && equals != std::string::npos) return {Wanted::What::field, first, rest};
  throw UsageError("--for: expected ready, delete, create, condition=NAME[=STATUS] or .status.phase=VALUE, found \"" +
                   text + "\"");
}

std::string field_of(const json::Value& object, const std::string& path) {
  json::View at = object;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    at = at[path.substr(begin, end - begin)];
    begin = end + 1;
  }
  return at.is_string() ? std::string(at.as_string()) : json::write(at);
}

bool is_met(const Wanted& wanted, const json::Value& object) {
  switch (wanted.what) {
    case Wanted::What::condition: return condition_of(object, wanted.name) == wanted.value;
    case Wanted::What::field: return field_of(object, wanted.name) == wanted.value;
    case Wanted::What::there: return true;
    default: return state_of(object).good;
  }
}

void wait_for(Access& access, const Target& target, const Wanted& wanted, const Stop& stop) {
  const auto key = key_of(target, access);
  if (wanted.what == Wanted::What::gone) return wait_until_gone(access, target.resource, key, stop);
  client::Watch watch = access.client().watch(
      client::WatchOptions{.resource = target.resource, .namespace_ = key.namespace_, .name = key.name});
  State last{.word = "not there"};
  while (const client::WatchEvent* event = watch.next(stop)) {
    if (event->kind == client::WatchEvent::Kind::deleted) last = {.word = "not there"};
    if (event->kind != client::WatchEvent::Kind::added && event->kind != client::WatchEvent::Kind::modified) continue;
    const json::Value object = client::to_json(*event);
    if (is_met(wanted, object)) return;
    last = state_of(object);
  }
  throw Error("timed out waiting for " + title_of(target.resource, target.name) +
              (last.word.empty() ? "" : ": it is " + last.word) + (last.why.empty() ? "" : " (" + last.why + ")"));
}

int wait(const Given& given, Io& io) {
  const Wanted wanted = wanted_of(given.text("for"));
  Access access(given, io);
  const Duration time = duration_of("timeout", given.text("timeout"));
  const Stop stop = Stop().with_deadline(access.clock(), access.clock().after(time));
  auto targets = targets_of(access, given.arguments());
  std::vector<Target> named;
  for (const Target& target : targets) {
    if (!target.name.empty()) named.push_back(target);
    if (!target.name.empty()) continue;
    if (!given.has("selector") && !given.on("all")) throw UsageError("say which: KIND/NAME, -l SELECTOR, or --all");
    for (const auto& one : access.client()
                               .metadata_at(target.resource)
                               .list({.namespace_ = key_of(target, access).namespace_,
                                      .selector = kube::Selector::parse(given.text("selector"))})
                               .all()) {
      named.push_back({target.resource, one.metadata.name});
    }
  }
  if (named.empty()) throw Error("there is nothing to wait for");
  for (const Target& target : named) {
    wait_for(access, target, wanted, stop);
    io.out << title_of(target.resource, target.name)
           << (wanted.what == Wanted::What::gone ? " deleted" : " condition met") << std::endl;
  }
  return kOk;
}

}  // namespace

Command wait_command() {
  return {
      .name = "wait",
      .topic = Topic::objects,
      .summary = "wait until objects are as they should be",
      .about =
          "ready is what the kind means by it: a pod is ready, a deployment has all its replicas, anything\n"
          "else has a condition Ready, Available, Complete or Established that is True.",
      .arguments = "KIND NAME... | KIND/NAME...",
      .least_arguments = 1,
      .most_arguments = 1000,
      .flags = with_access({{.name = "for",
                             .value = "WHAT",
                             .help = "ready, delete, create, condition=NAME[=STATUS], .status.phase=VALUE",
                             .fallback = "ready"},
                            {.name = "selector", .letter = 'l', .value = "SELECTOR", .help = "those with these labels"},
                            {.name = "all", .help = "every one of that kind in the namespace"},
                            {.name = "timeout", .value = "TIME", .help = "how long to wait", .fallback = "30s"}}),
      .examples = {{"flyball wait deploy/web", "until all its pods are ready"},
                   {"flyball wait memcached/sample --for condition=Available", "what the operator says"},
                   {"flyball wait pod/web --for delete", "until it is gone"}},
      .run = wait};
}

}  // namespace flyball::cli
