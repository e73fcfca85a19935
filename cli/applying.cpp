#include "cli/applying.hpp"

#include <ostream>

#include "cli/targets.hpp"

#include "flyball/base/condition.hpp"
#include "flyball/json/draft.hpp"

namespace flyball::cli {
namespace {

constexpr auto kServedWithin = std::chrono::seconds(30);

bool is_definition(const Place& place) { return place.resource.kind.kind == "CustomResourceDefinition"; }

bool has_condition(json::View object, std::string_view type) {
  for (const json::View one : object["status"]["conditions"].items()) {
    if (one["type"].string_or("") == type) return one["status"].string_or("") == "True";
  }
  return false;
}

void wait_until_served(Access& access, const Place& place) {
  const Stop stop = Stop().with_deadline(access.clock(), access.clock().after(kServedWithin));
  client::Watch watch = access.client().watch(client::WatchOptions{.resource = place.resource, .name = place.key.name});
  while (const client::WatchEvent* event = watch.next(stop)) {
    if (!event->object.empty() && has_condition(client::to_json(*event), "Established")) {
      access.client().mapper().forget();
      return;
    }
  }
  throw Error("the server does not serve " + place.key.name + " after 30 seconds");
}

void apply_one(Access& access, const Document& document, const ApplyingOptions& options, Io& io) {
  const Place place = place_of(access, document);
  json::Draft draft(document.object);
  if (!place.key.namespace_.empty()) draft.set("/metadata/namespace", place.key.namespace_);
  const auto objects = access.client().dynamic_at(place.resource);
  const auto before = objects.find(place.key);
  const json::Value after = objects.apply(draft.build(), {.force = options.force, .dry_run = options.dry_run});
  const char* what = !before ? "created" : "configured";
  if (before && (*before)["metadata"]["resourceVersion"] == after["metadata"]["resourceVersion"]) what = "unchanged";
  io.out << title_of(place.resource, place.key.name) << " " << what << (options.dry_run ? " (dry run)" : "")
         << std::endl;
  if (is_definition(place) && !options.dry_run) wait_until_served(access, place);
}

}  // namespace

Place place_of(Access& access, const Document& document) {
  const json::View object = document.object;
  const auto kind = kube::GroupVersionKind::parse(object["apiVersion"].string_or(""), object["kind"].string_or(""));
  Place place{.resource = access.client().mapper().resource(kind, {}),
              .key = {std::string(object["metadata"]["namespace"].string_or("")),
                      std::string(object["metadata"]["name"].string_or(""))}};
  if (!place.resource.namespaced) place.key.namespace_.clear();
  if (place.resource.namespaced && place.key.namespace_.empty()) place.key.namespace_ = access.namespace_of_choice();
  if (place.key.name.empty()) throw Error(document.source + ": a " + kind.kind + " without metadata.name");
  return place;
}

void apply_documents(Access& access, const std::vector<Document>& documents, const ApplyingOptions& options, Io& io) {
  for (const Document& document : documents) {
    try {
      apply_one(access, document, options, io);
    } catch (const ApiError& error) {
      const json::View object = document.object;
      std::string text = document.source + ": " + std::string(object["kind"].string_or("")) + " " +
                         std::string(object["metadata"]["name"].string_or("")) + ": " + error.what();
      if (error.is_conflict()) text += "; --force-conflicts takes these fields over";
      throw Error(text);
    }
  }
}

void wait_until_gone(Access& access, const client::Resource& resource, const kube::ObjectKey& key, const Stop& stop) {
  client::Watch watch =
      access.client().watch(client::WatchOptions{.resource = resource, .namespace_ = key.namespace_, .name = key.name});
  std::string held;
  bool there = false;
  while (const client::WatchEvent* event = watch.next(stop)) {
    using Kind = client::WatchEvent::Kind;
    if (event->kind == Kind::deleted || (event->kind == Kind::synced && !there)) return;
    if (event->object.empty()) continue;
    there = true;
    held.clear();
    const json::Value object = client::to_json(*event);
    for (const json::View one : object["metadata"]["finalizers"].items()) {
      held += (held.empty() ? "" : ", ") + std::string(one.string_or(""));
    }
  }
  throw Error(title_of(resource, key.name) + " is still there: " +
              (held.empty() ? "what runs in it has not ended" : "it waits for its finalizers " + held) +
              "; give it more time with --timeout");
}

}  // namespace flyball::cli
