// flyball events: what happened, the newest last.
#include <ostream>

#include "cli/commands.hpp"
#include "cli/event_lines.hpp"
#include "cli/flags.hpp"
#include "cli/targets.hpp"

namespace flyball::cli {
namespace {

int events(const Given& given, Io& io) {
  Access access(given, io);
  const bool everywhere = given.on("all-namespaces");
  EventQuery query{.namespace_ = everywhere ? "" : access.namespace_of_choice(), .type = given.text("type")};
  if (given.has("for")) {
    const auto targets = named_targets(access, {given.text("for")});
    query.kind = targets.front().resource.kind.kind;
    query.name = targets.front().name;
  }
  const auto found = find_events(access, query);
  if (found.empty()) {
    io.err << "No events found" << (everywhere ? "" : " in namespace " + query.namespace_) << ".\n";
    return kOk;
  }
  event_table(found, access.clock().wall_now(), everywhere, true).print(io.out, io.terminal);
  return kOk;
}

}  // namespace

Command events_command() {
  return {.name = "events",
          .topic = Topic::objects,
          .summary = "what happened in the cluster, the newest last",
          .flags = with_access(
              {{.name = "for", .value = "KIND/NAME", .help = "only what happened to that object"},
               {.name = "type", .value = "TYPE", .help = "only these", .choices = {"", "Normal", "Warning"}},
               {.name = "all-namespaces", .letter = 'A', .help = "of every namespace"}}),
          .examples = {{"flyball events --for memcached/sample", "what the operator said of it"},
                       {"flyball events -A --type Warning", "everything that went wrong"}},
          .run = events};
}

}  // namespace flyball::cli
