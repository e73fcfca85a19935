#include "flyball/apiserver/admission/pod_security.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "flyball/json/parse.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/batch/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

constexpr std::string_view kLabel = "pod-security.kubernetes.io/";

struct Asked {
  PodLevel level = PodLevel::privileged;
  std::string text = {};  // "restricted:latest"
};

std::optional<PodLevel> level_of(std::string_view text) {
  if (text == "privileged") return PodLevel::privileged;
  if (text == "baseline") return PodLevel::baseline;
  if (text == "restricted") return PodLevel::restricted;
  return std::nullopt;
}

bool is_version(std::string_view text) {
  if (text == "latest") return true;
  if (!text.starts_with("v1.") || text.size() < 4 || text.size() > 6) return false;
  const bool zero = text[3] == '0' && text.size() > 4;
  return !zero && std::ranges::all_of(text.substr(3), [](unsigned char each) { return std::isdigit(each) != 0; });
}

// What a namespace asks for; one whose label cannot be read asks for the strictest, as upstream has it.
Asked asked_of(json::View labels, const std::string& mode) {
  const json::View level = labels[std::string(kLabel) + mode];
  if (!level.is_string()) return {};
  const std::string_view version = labels[std::string(kLabel) + mode + "-version"].string_or("latest");
  const auto known = level_of(level.as_string());
  return {.level = known.value_or(PodLevel::restricted),
          .text = (known ? std::string(level.as_string()) : "restricted") + ":" +
                  std::string(is_version(version) ? version : "latest")};
}

void check_labels(const Object& space, const Object* old) {
  const auto problems_of = [](const Object& object) {
    Problems problems;
    const auto& labels = object.metadata().labels;
    for (const std::string mode : {"enforce", "audit", "warn"}) {
      const std::string level = std::string(kLabel) + mode;
      const std::string version = level + "-version";
      const FieldPath at = FieldPath("metadata").child("labels");
      if (const auto found = labels.find(level); found != labels.end() && !level_of(found->second)) {
        problems.invalid(at.key(level), found->second, "must be one of privileged, baseline, restricted");
      }
      if (const auto found = labels.find(version); found != labels.end() && !is_version(found->second)) {
        problems.invalid(at.key(version), found->second, R"(must be "latest" or "v1.x")");
      }
    }
    return problems;
  };
  const Problems problems = problems_of(space);
  if (problems.empty() || (old != nullptr && problems_of(*old).text() == problems.text())) return;
  throw refuse::invalid(space.resource().group_kind(), space.metadata().name, problems);
}

struct Template {
  const kube::meta::v1::ObjectMeta* metadata = nullptr;
  const core::PodSpec* spec = nullptr;
};

Template template_of(const core::PodTemplateSpec& pods) { return {&pods.metadata, &pods.spec}; }

// Of what makes pods.
Template template_in(const Object& object) {
  const std::string& shelf = object.resource().shelf;
  if (shelf == "deployments.apps") return template_of(object.as<kube::apps::v1::Deployment>().spec.template_);
  if (shelf == "replicasets.apps") return template_of(object.as<kube::apps::v1::ReplicaSet>().spec.template_);
  if (shelf == "statefulsets.apps") return template_of(object.as<kube::apps::v1::StatefulSet>().spec.template_);
  if (shelf == "daemonsets.apps") return template_of(object.as<kube::apps::v1::DaemonSet>().spec.template_);
  if (shelf == "jobs.batch") return template_of(object.as<kube::batch::v1::Job>().spec.template_);
  if (shelf == "cronjobs.batch") {
    return template_of(object.as<kube::batch::v1::CronJob>().spec.jobTemplate.spec.template_);
  }
  if (shelf == "podtemplates") return template_of(object.as<core::PodTemplate>().template_);
  if (shelf == "replicationcontrollers") {
    const auto& pods = object.as<core::ReplicationController>().spec.template_;
    return pods ? template_of(*pods) : Template();
  }
  return {};
}

// Nothing else of a pod that counts here can be changed.
bool is_same(const Object& pod, const Object& old) {
  return pod.as<core::Pod>().spec.ephemeralContainers == old.as<core::Pod>().spec.ephemeralContainers &&
         pod.metadata().annotations == old.metadata().annotations;
}

}  // namespace

void check_pod_security(Context& context, const Object& object, const Object* old) {
  const Resource& resource = object.resource();
  if (resource.is_custom()) return;
  const std::string& subresource = context.call.subresource;
  if (resource.shelf == "namespaces" && subresource.empty()) return check_labels(object, old);
  const bool is_pod = resource.shelf == "pods";
  if (!subresource.empty() && !(is_pod && subresource == "ephemeralcontainers")) return;
  if (is_pod && old != nullptr && is_same(object, *old)) return;
  Template pods = template_in(object);
  if (is_pod) pods = {&object.metadata(), &object.as<core::Pod>().spec};
  if (pods.spec == nullptr) return;
  const auto stored = context.world.store.find({"namespaces", context.call.namespace_});
  if (!stored || stored->bytes->find(kLabel) == std::string::npos) return;
  const json::Value space = json::parse(*stored->bytes);
  const json::View labels = space["metadata"]["labels"];
  const auto violations = [&](const Asked& asked) { return pod_violations(asked.level, *pods.metadata, *pods.spec); };
  if (is_pod) {
    const Asked enforced = asked_of(labels, "enforce");
    if (const std::string why = violations(enforced); !why.empty()) {
      throw refuse::forbidden(resource.group_resource(), object.metadata().name,
                              "violates PodSecurity \"" + enforced.text + "\": " + why);
    }
  }
  const Asked warned = asked_of(labels, "warn");
  if (const std::string why = violations(warned); !why.empty()) {
    context.warnings.push_back("would violate PodSecurity \"" + warned.text + "\": " + why);
  }
}

}  // namespace flyball::apiserver
