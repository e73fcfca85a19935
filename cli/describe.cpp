// flyball describe: everything about an object that a person asks for: itself, its conditions, its owners, its events.
#include <ostream>

#include "cli/commands.hpp"
#include "cli/condition_text.hpp"
#include "cli/event_lines.hpp"
#include "cli/flags.hpp"
#include "cli/printing.hpp"
#include "cli/targets.hpp"

#include "flyball/apiserver/tables/human.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::cli {
namespace {

void pairs(const char* title, json::View entries, std::ostream& out) {
  std::string space(title);
  for (const auto [name, value] : entries.entries()) {
    out << space << std::string(13 - space.size(), ' ') << name << "=" << value.string_or("") << "\n";
    space.clear();
  }
}

void head(const json::Value& object, WallTime now, bool colours, std::ostream& out) {
  const json::View metadata = object["metadata"];
  out << "Name:        " << metadata["name"].string_or("") << "\n";
  if (metadata["namespace"].is_string()) out << "Namespace:   " << metadata["namespace"].as_string() << "\n";
  out << "Kind:        " << object["kind"].string_or("") << " (" << object["apiVersion"].string_or("") << ")\n";
  pairs("Labels:", metadata["labels"], out);
  pairs("Annotations:", metadata["annotations"], out);
  out << "Age:         " << apiserver::human_age(metadata["creationTimestamp"], now) << "\n";
  for (const json::View owner : metadata["ownerReferences"].items()) {
    out << "Owner:       " << owner["kind"].string_or("") << "/" << owner["name"].string_or("") << "\n";
  }
  for (const json::View one : metadata["finalizers"].items()) out << "Finalizer:   " << one.string_or("") << "\n";
  const State state = state_of(object);
  if (!state.word.empty()) out << "State:       " << coloured(state.word, colours) << "\n";
  if (!state.why.empty()) out << "Why:         " << state.why << "\n";
}

// All but what the head and the tables say.
void body(const json::Value& object, std::ostream& out) {
  json::Draft draft(object);
  for (const char* part : {"/apiVersion", "/kind", "/metadata", "/status/conditions"}) draft.erase(part);
  const json::Value rest = draft.build();
  for (const auto [name, value] : rest.entries()) {
    if ((value.is_object() || value.is_array()) && value.empty()) continue;
    std::string title(name);
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    out << title << ":\n" << indented(json::write_yaml(value, {.sort_keys = false}), 2);
  }
}

void conditions(const json::Value& object, WallTime now, bool colours, std::ostream& out) {
  TextTable table({"  CONDITION", "STATUS", "REASON", "SINCE", "MESSAGE"});
  for (const json::View one : object["status"]["conditions"].items()) {
    table.add({"  " + std::string(one["type"].string_or("")), std::string(one["status"].string_or("")),
               std::string(one["reason"].string_or("-")), apiserver::human_age(one["lastTransitionTime"], now),
               std::string(one["message"].string_or(""))});
  }
  if (table.empty()) return;
  out << "Conditions:\n";
  table.print(out, colours);
}

// A Secret's values are for the one who asks for them by name.
json::Value without_secrets(const json::Value& object) {
  if (object["kind"].string_or("") != "Secret") return object;
  json::Draft draft(object);
  for (const auto [name, value] : object["data"].entries()) {
    json::Draft::Node data = draft.root()["data"];
    data.set(name, std::to_string(value.string_or("").size() / 4 * 3) + " bytes or a little less");
  }
  return draft.build();
}

int describe(const Given& given, Io& io) {
  Access access(given, io);
  const WallTime now = access.clock().wall_now();
  bool first = true;
  for (const Target& target : named_targets(access, given.arguments())) {
    const json::Value object = without_secrets(access.client().dynamic_at(target.resource).get(key_of(target, access)));
    if (!first) io.out << "\n";
    first = false;
    head(object, now, io.terminal, io.out);
    body(object, io.out);
    conditions(object, now, io.terminal, io.out);
    const auto events = find_events(access, {.namespace_ = key_of(target, access).namespace_,
                                             .kind = target.resource.kind.kind,
                                             .name = target.name,
                                             .uid = std::string(object["metadata"]["uid"].string_or(""))});
    io.out << (events.empty() ? "Events:      none\n" : "Events:\n");
    if (!events.empty()) event_table(events, now, false, false).print(io.out, io.terminal);
  }
  return kOk;
}

}  // namespace

Command describe_command() {
  return {.name = "describe",
          .topic = Topic::objects,
          .summary = "an object with its conditions and events",
          .arguments = "KIND NAME... | KIND/NAME...",
          .least_arguments = 1,
          .most_arguments = 1000,
          .flags = with_access({}),
          .examples = {{"flyball describe pod web", "why it does not run"}},
          .run = describe};
}

}  // namespace flyball::cli
