// flyball deploy and undeploy: the operator in a cluster, with all it needs, until it runs; and out of it again.
#include <algorithm>
#include <filesystem>
#include <ostream>

#include "cli/applying.hpp"
#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/rollout.hpp"
#include "cli/targets.hpp"

namespace flyball::cli {
namespace {

constexpr const char* kManifests = "dist/install.yaml";

std::vector<Document> documents_of(const Given& given, Io& io) {
  if (given.has("filename")) return read_documents(given.all("filename"), io, true);
  if (!std::filesystem::exists(io.path(kManifests))) {
    throw Error(std::string("there is no ") + kManifests + "; `flyball manifests` makes it, or name files with -f");
  }
  return read_documents({kManifests}, io);
}

Stop deadline(const Given& given, Access& access) {
  return Stop().with_deadline(access.clock(), access.clock().after(duration_of("timeout", given.text("timeout"))));
}

int deploy(const Given& given, Io& io) {
  const auto documents = documents_of(given, io);
  Access access(given, io);
  io.err << "into " << access.where() << "\n";
  apply_documents(access, documents, {.force = true, .dry_run = given.on("dry-run")}, io);
  if (given.on("dry-run") || !given.on("wait")) return kOk;
  std::vector<Place> workloads;
  for (const Document& document : documents) {
    const Place place = place_of(access, document);
    if (is_workload(place.resource)) workloads.push_back(place);
  }
  wait_for_rollout(access, workloads, deadline(given, access), io);
  return kOk;
}

// Objects of its kinds go first, while the operator is there to clean up after them; then it, and what it needed.
std::vector<Place> instances_of(Access& access, const Document& definition) {
  const json::View spec = definition.object["spec"];
  std::vector<Place> found;
  client::Resource resource;
  try {
    resource = access.client().mapper().resolve(
        std::string(spec["names"]["plural"].string_or("")) + "." + std::string(spec["group"].string_or("")), {});
  } catch (const ApiError& error) {
    if (error.is_not_found()) return {};
    throw;
  }
  for (const auto& one : access.client().metadata_at(resource).list()) {
    found.push_back({resource, {one.metadata.namespace_, one.metadata.name}});
  }
  return found;
}

void take_out(Access& access, const std::vector<Place>& places, const Stop& stop, Io& io) {
  std::vector<Place> going;
  for (const Place& place : places) {
    const bool there =
        access.client()
            .dynamic_at(place.resource)
            .delete_(place.key, {.propagation = client::Propagation::background, .missing_is_fine = true});
    if (!there) continue;
    io.out << title_of(place.resource, place.key.name) << " deleted" << std::endl;
    going.push_back(place);
  }
  for (const Place& place : going) wait_until_gone(access, place.resource, place.key, stop);
}

int undeploy(const Given& given, Io& io) {
  auto documents = documents_of(given, io);
  Access access(given, io);
  io.err << "from " << access.where() << "\n";
  const Stop stop = deadline(given, access);
  const auto is_definition = [](const Document& one) {
    return one.object["kind"].string_or("") == "CustomResourceDefinition";
  };
  if (!given.on("keep-kinds")) {
    for (const Document& document : documents) {
      if (is_definition(document)) take_out(access, instances_of(access, document), stop, io);
    }
  }
  std::ranges::reverse(documents);
  for (const Document& document : documents) {
    if (given.on("keep-kinds") && is_definition(document)) continue;
    try {
      take_out(access, {place_of(access, document)}, stop, io);
    } catch (const ApiError& error) {
      // Its kind went with a definition before it.
      if (!error.is_not_found()) throw;
    }
  }
  return kOk;
}

std::vector<Flag> with_files(std::vector<Flag> own) {
  own.insert(own.begin(), {.name = "filename",
                           .letter = 'f',
                           .value = "FILE",
                           .help = "a file or a folder; without it: dist/install.yaml",
                           .repeats = true});
  own.push_back({.name = "timeout", .value = "TIME", .help = "how long to wait", .fallback = "3m"});
  return with_access(std::move(own));
}

}  // namespace

Command deploy_command() {
  return {.name = "deploy",
          .topic = Topic::project,
          .summary = "the operator into a cluster, until it runs",
          .about =
              "Applies the manifests (server-side), waits until the server serves their kinds and their\n"
              "deployments are ready, and says why a pod is not: what its container waits for, what events say.",
          .flags = with_files({{.name = "wait", .help = "until it runs; --wait=false does not", .fallback = "true"},
                               {.name = "dry-run", .help = "the server says what it would do, and does nothing"}}),
          .examples = {{"flyball manifests && flyball deploy", "what the project is now"}},
          .run = deploy};
}

Command undeploy_command() {
  return {.name = "undeploy",
          .topic = Topic::project,
          .summary = "the operator out of a cluster, with everything of its kinds",
          .about =
              "First the objects of its kinds, while the operator is there to clean up after them; then the\n"
              "manifests, the last first.",
          .flags = with_files({{.name = "keep-kinds", .help = "leave the definitions, and the objects of them"}}),
          .examples = {{"flyball undeploy", ""}},
          .run = undeploy};
}

}  // namespace flyball::cli
