// flyball delete: objects by name, by label or as they stand in files.
#include <algorithm>
#include <ostream>

#include "cli/applying.hpp"
#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/targets.hpp"

namespace flyball::cli {
namespace {

std::vector<Place> places_of(const Given& given, Access& access, Io& io) {
  std::vector<Place> places;
  if (given.has("filename")) {
    if (!given.arguments().empty()) throw UsageError("either --filename or names, not both");
    auto documents = read_documents(given.all("filename"), io, given.on("recursive"));
    std::ranges::reverse(documents);
    for (const Document& document : documents) {
      try {
        places.push_back(place_of(access, document));
      } catch (const ApiError& error) {
        // Its definition is gone, and with it the object.
        if (!error.is_not_found() || !given.on("ignore-not-found")) throw;
      }
    }
    return places;
  }
  const bool many = given.on("all") || given.has("selector");
  const auto targets = many ? targets_of(access, given.arguments()) : named_targets(access, given.arguments());
  for (const Target& target : targets) {
    if (!target.name.empty()) {
      places.push_back({target.resource, key_of(target, access)});
      continue;
    }
    const auto found = access.client()
                           .metadata_at(target.resource)
                           .list({.namespace_ = key_of(target, access).namespace_,
                                  .selector = kube::Selector::parse(given.text("selector"))})
                           .all();
    for (const auto& one : found) places.push_back({target.resource, {one.metadata.namespace_, one.metadata.name}});
  }
  return places;
}

client::Propagation propagation_of(const std::string& text) {
  if (text == "foreground") return client::Propagation::foreground;
  return text == "orphan" ? client::Propagation::orphan : client::Propagation::background;
}

int remove(const Given& given, Io& io) {
  Access access(given, io);
  client::DeleteOptions options{.propagation = propagation_of(given.text("cascade")),
                                .dry_run = given.on("dry-run"),
                                .missing_is_fine = given.on("ignore-not-found")};
  if (given.has("grace-period")) options.grace = std::chrono::seconds(given.number("grace-period", 0, 1'000'000));
  const auto places = places_of(given, access, io);
  std::vector<Place> going;
  for (const Place& place : places) {
    if (!access.client().dynamic_at(place.resource).delete_(place.key, options)) continue;
    io.out << title_of(place.resource) << " \"" << place.key.name << "\" deleted"
           << (options.dry_run ? " (dry run)" : "") << std::endl;
    going.push_back(place);
  }
  if (!given.on("wait") || options.dry_run) return kOk;
  const Stop stop =
      Stop().with_deadline(access.clock(), access.clock().after(duration_of("timeout", given.text("timeout"))));
  for (const Place& place : going) wait_until_gone(access, place.resource, place.key, stop);
  return kOk;
}

}  // namespace

Command delete_command() {
  return {
      .name = "delete",
      .topic = Topic::objects,
      .summary = "take objects out of the cluster",
      .arguments = "[KIND NAME... | KIND/NAME...]",
      .most_arguments = 1000,
      .flags = with_access({{.name = "filename",
                             .letter = 'f',
                             .value = "FILE",
                             .help = "what stands in a file, a folder, or - for standard input",
                             .repeats = true},
                            {.name = "recursive", .letter = 'R', .help = "folders in folders, too"},
                            {.name = "selector", .letter = 'l', .value = "SELECTOR", .help = "those with these labels"},
                            {.name = "all", .help = "every one of that kind in the namespace"},
                            {.name = "ignore-not-found", .help = "what is not there is no error"},
                            {.name = "cascade",
                             .value = "HOW",
                             .help = "what becomes of the objects it owns",
                             .fallback = "background",
                             .choices = {"background", "foreground", "orphan"}},
                            {.name = "grace-period",
                             .value = "SECONDS",
                             .help = "until what runs is killed; without it: the object's own"},
                            {.name = "wait", .help = "until it is gone; --wait=false does not", .fallback = "true"},
                            {.name = "timeout", .value = "TIME", .help = "how long to wait", .fallback = "5m"},
                            {.name = "dry-run", .help = "the server says what it would do, and does nothing"}}),
      .examples = {{"flyball delete pod web", "and wait until it is gone"},
                   {"flyball delete -f config/samples", "what stands in the files, the last first"}},
      .run = remove};
}

}  // namespace flyball::cli
