#include "flyball/apiserver/merge/scale.hpp"

#include <utility>

#include "flyball/apiserver/merge/managed_fields.hpp"

namespace flyball::apiserver::merge {

using json::View;

namespace {

constexpr std::string_view kScaleVersion = "autoscaling/v1";

Path replicas_of_scale() { return {PathElement::field("spec"), PathElement::field("replicas")}; }

FieldSet only(const Path& path) {
  FieldSet set;
  set.insert(path);
  return set;
}

json::Value encoded(const Managed& managed) {
  if (managed.empty()) return nullptr;
  json::Builder builder;
  managed.encode(builder);
  return builder.finish();
}

}  // namespace

json::Value to_scale(View parent_fields, const ReplicasPaths& paths) {
  const Managed parent = Managed::decode(parent_fields);
  Managed scale;
  for (Manager manager : parent.managers()) {
    const auto known = paths.find(manager.api_version);
    if (known == paths.end() || !known->second || !manager.fields.has(*known->second)) continue;
    manager.fields = only(replicas_of_scale());
    manager.api_version = kScaleVersion;
    scale.managers().push_back(std::move(manager));
  }
  return encoded(scale);
}

json::Value to_parent(View parent_fields, View scale_fields, std::string_view api_version, const ReplicasPaths& paths) {
  const Managed before = Managed::decode(parent_fields);
  Managed scale = Managed::decode(scale_fields);
  Managed parent;
  for (const Manager& manager : before.managers()) {
    const auto known = paths.find(manager.api_version);
    if (known == paths.end()) continue;
    if (!known->second || !manager.fields.has(*known->second)) {
      parent.managers().push_back(manager);
      continue;
    }
    if (scale.find(manager.id) != nullptr) {
      parent.managers().push_back(manager);
      scale.erase(manager.id);
      continue;
    }
    Manager less = manager;
    less.fields = manager.fields.difference(only(*known->second));
    if (!less.fields.empty()) parent.managers().push_back(std::move(less));
  }
  const auto path = paths.find(api_version);
  for (Manager manager : scale.managers()) {
    if (!manager.fields.has(replicas_of_scale()) || path == paths.end() || !path->second) continue;
    const Manager* known = before.find(manager.id);
    manager.fields = only(*path->second);
    manager.api_version = api_version;
    manager.time = known == nullptr ? std::nullopt : known->time;
    parent.managers().push_back(std::move(manager));
  }
  return encoded(parent);
}

}  // namespace flyball::apiserver::merge
