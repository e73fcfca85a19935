#include "flyball/apiserver/scale.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "flyball/apiserver/admission/admission.hpp"
#include "flyball/apiserver/decode.hpp"
#include "flyball/apiserver/kind_resource.hpp"
#include "flyball/apiserver/managed_fields.hpp"
#include "flyball/apiserver/merge/field_manager.hpp"
#include "flyball/apiserver/merge/scale.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/patches.hpp"
#include "flyball/apiserver/reads.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/schema/custom_kind.hpp"
#include "flyball/apiserver/write_chain.hpp"
#include "flyball/apiserver/writes.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/pointer.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/selector.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::apiserver {
namespace {

// Stands in a scale whose parent says nothing of replicas: whoever leaves it so is refused.
constexpr std::int64_t kNoReplicas = std::numeric_limits<std::int32_t>::min();

// Where a kind keeps its replicas: JSON Pointers.
struct Paths {
  std::string replicas = "/spec/replicas";
  std::string status = "/status/replicas";
  std::string selector = "/spec/selector";
};

// ".spec.replicas" as "/spec/replicas".
std::string pointer_of(std::string path) {
  std::ranges::replace(path, '.', '/');
  return path;
}

Paths paths_of(const Resource& resource) {
  if (!resource.is_custom()) return {};
  const ScalePaths& paths = *resource.custom->scale();
  return {.replicas = pointer_of(paths.spec_replicas),
          .status = pointer_of(paths.status_replicas),
          .selector = pointer_of(paths.label_selector)};
}

json::View at(const json::Value& object, const std::string& pointer) {
  return pointer.empty() ? json::View() : json::find(object, json::Pointer(pointer));
}

std::int64_t number(json::View value) { return value.is_int() ? value.as_int() : 0; }

// As text: "app=web". A map of labels, a label selector, or text already.
std::string selector_text(json::View selector) {
  if (selector.is_string()) return std::string(selector.as_string());
  if (!selector.is_object()) return {};
  const bool structured = selector["matchLabels"].exists() || selector["matchExpressions"].exists();
  Labels labels;
  for (const auto [key, value] : (structured ? selector["matchLabels"] : selector).entries()) {
    labels[std::string(key)] = value.string_or({});
  }
  kube::Selector chosen = kube::Selector::from_labels(labels);
  if (structured) {
    for (const json::View one : selector["matchExpressions"].items()) {
      std::vector<std::string> values;
      for (const json::View value : one["values"].items()) values.emplace_back(value.string_or({}));
      chosen.add(kube::Requirement::from_expression(std::string(one["key"].string_or({})),
                                                    one["operator"].string_or({}), std::move(values)));
    }
  }
  return chosen.to_string();
}

merge::Path merge_path(std::string_view pointer) {
  merge::Path path;
  pointer.remove_prefix(1);
  while (!pointer.empty()) {
    const std::string_view part = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(std::min(pointer.size(), part.size() + 1));
    path.push_back(merge::PathElement::field(std::string(part)));
  }
  return path;
}

// Of every version: the owners may have written through any.
merge::ReplicasPaths replicas_paths(const Context& context) {
  const Resource& resource = *context.resource;
  if (!resource.is_custom()) return {{resource.api_version(), merge_path(paths_of(resource).replicas)}};
  merge::ReplicasPaths paths;
  for (const ResourcePointer& version : context.world.registry.all()) {
    if (version->shelf != resource.shelf) continue;
    auto& path = paths[version->api_version()];
    if (version->custom->scale()) path = merge_path(paths_of(*version).replicas);
  }
  return paths;
}

bool has_replicas(const Object& parent) {
  return !parent.resource().is_custom() || at(parent.value(), paths_of(parent.resource()).replicas).exists();
}

std::string replicas_field(const Object& parent) {
  return "the spec replicas field \"" + parent.resource().custom->scale()->spec_replicas + "\"";
}

json::Value scale_of(const Object& parent) {
  const json::Value object = parent.value();
  const Paths paths = paths_of(parent.resource());
  const ObjectMeta& metadata = parent.metadata();
  json::Draft scale(json::object({{"kind", "Scale"}, {"apiVersion", "autoscaling/v1"}}));
  scale.set("/metadata", json::object({{"name", metadata.name},
                                       {"namespace", metadata.namespace_},
                                       {"uid", metadata.uid},
                                       {"resourceVersion", metadata.resourceVersion},
                                       {"creationTimestamp", metadata.creationTimestamp.to_string()}}));
  json::Draft::Node spec = scale.root().ensure_object("spec");
  if (const std::int64_t wanted = number(at(object, paths.replicas)); wanted != 0) spec.set("replicas", wanted);
  json::Draft::Node status = scale.root().ensure_object("status");
  status.set("replicas", number(at(object, paths.status)));
  if (const std::string text = selector_text(at(object, paths.selector)); !text.empty()) status.set("selector", text);
  return scale.build();
}

void check_replicas(json::View scale, std::string_view name) {
  const std::int64_t replicas = number(scale["spec"]["replicas"]);
  if (replicas >= 0) return;
  Problems problems;
  problems.invalid(FieldPath("spec.replicas"), replicas, "must be greater than or equal to 0");
  throw refuse::invalid({"autoscaling", "Scale"}, name, problems);
}

// The parent with the replicas and the owners of the scale.
Object parent_of(Context& context, const Object& live, const json::Value& scale) {
  const Resource& resource = live.resource();
  if (number(scale["spec"]["replicas"]) == kNoReplicas) {
    throw refuse::bad_request(replicas_field(live) + " cannot be empty");
  }
  json::Draft draft(live.value());
  draft.set(json::Pointer(paths_of(resource).replicas), number(scale["spec"]["replicas"]));
  const json::Value before = live.value();
  const json::Value owners = merge::to_parent(before["metadata"]["managedFields"], scale["metadata"]["managedFields"],
                                              resource.api_version(), replicas_paths(context));
  if (owners.is_array()) {
    draft.set("/metadata/managedFields", owners);
  } else {
    draft.erase("/metadata/managedFields");
  }
  Object next = Object::from(context.resource, draft.build());
  next.metadata().resourceVersion = scale["metadata"]["resourceVersion"].string_or({});
  next.metadata().uid = scale["metadata"]["uid"].string_or({});
  return next;
}

// The scale as it is now, with the owners of the replicas.
json::Value tracked_scale(const Context& context, const Object& live) {
  json::Draft draft(scale_of(live));
  if (!has_replicas(live)) draft.set("/spec/replicas", kNoReplicas);
  const json::Value object = live.value();
  const json::Value owners = merge::to_scale(object["metadata"]["managedFields"], replicas_paths(context));
  if (owners.is_array()) draft.set("/metadata/managedFields", owners);
  return draft.build();
}

merge::ManagedKind scale_kind(Context& context, const ResourcePointer& scale) {
  return {.schema = context.world.schemas.of(*scale), .api_version = "autoscaling/v1", .kind = "Scale"};
}

// Upstream cannot convert the Scale of a custom resource to a version of that resource, and tries to.
Refusal cannot_convert(std::string_view what) {
  return {{.code = 500,
           .message = std::string(what) + ", Kind=Scale) to proper version: request to convert CR to an invalid "
                                          "group/version: autoscaling/v1"},
          {.present = false, .reason = false}};
}

json::Value applied(const Context& context, const json::Value& current, json::View body, const merge::ManagedKind& kind,
                    const merge::Writer& writer, merge::Force force) {
  const bool custom = context.resource->is_custom();
  if (custom && !current["metadata"]["managedFields"].exists()) {
    throw cannot_convert(
        "failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1");
  }
  json::Value next = merge::apply(current, body, kind, writer, force);
  const bool changed = next["spec"] != current["spec"];
  if (custom && changed)
    throw cannot_convert("failed to convert new object (/" + context.call.name + "; autoscaling/v1");
  return next;
}

// `rendered`: the context as one of the scale.
json::Value patched_scale(Context& context, Context& rendered, const PatchBody& body, const json::Value& current,
                          FieldValidation validation) {
  rendered.warnings.clear();
  Object next = patched_object(rendered, body.patched(rendered, current), body, validation);
  context.warnings.insert(context.warnings.end(), rendered.warnings.begin(), rendered.warnings.end());
  check_namespace(context, next.metadata());
  check_name(next, context.call.name);
  return next.value();
}

}  // namespace

net::Response answer_scale(Context& context) {
  const ResourcePointer scale = kind_resource("autoscaling/v1", "Scale");
  Context rendered{.world = context.world, .call = context.call, .resource = scale, .accept = context.accept};
  const auto answer = [&](const std::string& parent) {
    const Object object = Object::parse(context.resource, parent);
    rendered.warnings = context.warnings;
    return render_object(rendered, 200, Object::from(scale, scale_of(object)).text());
  };
  if (context.call.verb == Verb::get) {
    const auto parent = load_text(context, context.call.name);
    const Object object = Object::parse(context.resource, *parent);
    if (!has_replicas(object)) throw refuse::internal(replicas_field(object) + " does not exist");
    return answer(*parent);
  }

  const bool patching = context.call.verb == Verb::patch;
  std::optional<PatchBody> body;
  if (patching) body.emplace(read_patch(rendered));
  const WriteOptions options = write_options(context.call, !patching          ? WriteKind::update
                                                           : body->is_apply() ? WriteKind::apply
                                                                              : WriteKind::patch);
  const merge::Writer writer{.manager = options.manager, .subresource = "scale", .now = context.now()};
  json::Value put;
  if (!patching) {
    Decoded decoded = decode_body(context.call, scale, options.validation);
    report_strict(decoded.strict, options.validation, *scale, context.warnings);
    check_namespace(context, decoded.object.metadata());
    check_name(decoded.object, context.call.name);
    put = decoded.object.value();
  }
  const UpdateRequest request{.name = context.call.name};
  const Written updated = update_object(context, request, options, [&](const Object* live) {
    const json::Value current = tracked_scale(context, *live);
    json::Value next;
    if (patching && body->is_apply()) {
      next = applied(context, current, body->value(), scale_kind(context, scale), writer,
                     options.force ? merge::Force::yes : merge::Force::no);
    } else {
      const json::Value made = patching ? patched_scale(context, rendered, *body, current, options.validation) : put;
      next = merge::track_update(current, made, scale_kind(context, scale), writer);
    }
    if (!context.resource->is_custom()) check_replicas(next, context.call.name);
    const Object old = Object::from(scale, current);
    Object part = Object::from(scale, next);
    admit_part(context, part, &old);
    if (part.value() != Object::from(scale, next).value()) next = part.value();
    return parent_of(context, *live, next);
  });
  return answer(*updated.text);
}

}  // namespace flyball::apiserver
