// flyball logs: what the containers of a pod, or of the pods behind an object, have written.
#include "flyball/client/logs.hpp"

#include <algorithm>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/targets.hpp"

#include "flyball/kube/core/v1.hpp"

namespace flyball::cli {
namespace {

namespace core = kube::core::v1;

// "app=web,tier=db", from a selector's matchLabels or a Service's own.
std::string selector_of(const json::Value& object) {
  const json::View selector = object["spec"]["selector"];
  const json::View labels = selector["matchLabels"].exists() ? selector["matchLabels"] : selector;
  std::string text;
  for (const auto [name, value] : labels.entries()) {
    if (value.is_string()) text += (text.empty() ? "" : ",") + std::string(name) + "=" + std::string(value.as_string());
  }
  return text;
}

std::vector<core::Pod> pods_of(const Given& given, Access& access) {
  std::string selector = given.text("selector");
  if (selector.empty()) {
    const std::string word = given.argument(0);
    if (word.empty()) throw UsageError("say whose: a pod's name, KIND/NAME, or -l SELECTOR");
    const auto targets = named_targets(access, {word.find('/') == std::string::npos ? "pod/" + word : word});
    const auto key = key_of(targets.front(), access);
    if (targets.front().resource.kind.kind == "Pod") return {access.client().get<core::Pod>(key)};
    selector = selector_of(access.client().dynamic_at(targets.front().resource).get(key));
    if (selector.empty()) throw Error(word + " has no selector that would lead to its pods");
  }
  auto pods =
      access.client()
          .list<core::Pod>({.namespace_ = access.namespace_of_choice(), .selector = kube::Selector::parse(selector)})
          .all();
  if (pods.empty())
    throw Error("there is no pod with the labels " + selector + " in namespace " + access.namespace_of_choice());
  return pods;
}

client::PodLogOptions options_of(const Given& given) {
  client::PodLogOptions options{.container = given.text("container"),
                                .follow = given.on("follow"),
                                .previous = given.on("previous"),
                                .timestamps = given.on("timestamps")};
  if (given.has("tail")) options.tail_lines = given.number("tail", 0, 1'000'000'000);
  if (given.has("since"))
    options.since = std::chrono::duration_cast<std::chrono::seconds>(duration_of("since", given.text("since")));
  return options;
}

int logs(const Given& given, Io& io) {
  Access access(given, io);
  const auto pods = pods_of(given, access);
  client::PodLogOptions options = options_of(given);
  if (options.follow && pods.size() > 1) {
    io.err << "following " << pods.front().metadata.name << ", one of " << pods.size() << " pods\n";
  }
  // A log that is followed may be silent for longer than a request may take.
  const client::Client client = access.client().with(Stop());
  for (const core::Pod& pod : pods) {
    std::vector<std::string> containers{options.container};
    if (given.on("all-containers")) {
      containers.clear();
      for (const auto& one : pod.spec.initContainers) containers.push_back(one.name);
      for (const auto& one : pod.spec.containers) containers.push_back(one.name);
    }
    // As kubectl: the first one, unless somebody says which.
    if (containers.size() == 1 && containers.front().empty() && !pod.spec.containers.empty()) {
      containers.front() = pod.spec.containers.front().name;
    }
    for (const std::string& container : containers) {
      options.container = container;
      const bool prefix = given.on("prefix") || pods.size() > 1 || containers.size() > 1;
      for (const std::string& line : client::pod_logs(client, {pod.metadata.namespace_, pod.metadata.name}, options)) {
        if (prefix) io.out << "[" << pod.metadata.name << "/" << container << "] ";
        io.out << line << "\n";
        if (options.follow) io.out.flush();
      }
    }
    if (options.follow) break;
  }
  return kOk;
}

}  // namespace

Command logs_command() {
  return {.name = "logs",
          .topic = Topic::objects,
          .summary = "what the containers of a pod have written",
          .arguments = "POD | KIND/NAME",
          .most_arguments = 1,
          .flags = with_access(
              {{.name = "follow", .letter = 'f', .help = "and what they write from now on, until Ctrl-C"},
               {.name = "previous", .letter = 'p', .help = "of the container that ended before"},
               {.name = "container", .letter = 'c', .value = "NAME", .help = "which; without it: the first"},
               {.name = "all-containers", .help = "of every container"},
               {.name = "selector", .letter = 'l', .value = "SELECTOR", .help = "of every pod with these labels"},
               {.name = "tail", .value = "N", .help = "only the last lines"},
               {.name = "since", .value = "TIME", .help = "only what is not older: 90s, 5m, 1h30m"},
               {.name = "timestamps", .help = "when each line was written"},
               {.name = "prefix", .help = "who wrote each line; always for several"}}),
          .examples = {{"flyball logs deploy/web-operator -f", "of a pod of it, as it comes"},
                       {"flyball logs web-0 -p --tail 20", "why it crashed"}},
          .run = logs};
}

}  // namespace flyball::cli
