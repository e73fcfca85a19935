#include "flyball/apiserver/merge/reset_fields.hpp"

#include <algorithm>
#include <utility>

namespace flyball::apiserver::merge {

namespace {

// Kinds whose status subresource does not write metadata either.
constexpr std::string_view kStatusAlone[] = {
    "APIService",
    "CustomResourceDefinition",
    "DeviceTaintRule",
    "FlowSchema",
    "PodGroup",
    "PriorityLevelConfiguration",
    "ResourceClaim",
    "ResourcePoolStatusRequest",
    "ServiceCIDR",
    "StorageVersion",
    "StorageVersionMigration",
    "ValidatingAdmissionPolicy",
    "VolumeAttachment",
};

bool has_status(const reflect::KindInfo& kind) {
  return std::ranges::any_of(kind.subresources, [](const auto& sub) { return sub.name == "status"; });
}

FieldFilter reset_by_status(std::string_view kind) {
  if (kind == "Deployment") return FieldFilter::except({{"spec"}, {"metadata", "labels"}});
  if (kind == "Pod") {
    return FieldFilter::except({{"spec"}, {"metadata", "deletionTimestamp"}, {"metadata", "ownerReferences"}});
  }
  if (kind == "CertificateSigningRequest") return FieldFilter::except({{"spec"}, {"status", "conditions"}});
  if (std::ranges::find(kStatusAlone, kind) != std::end(kStatusAlone)) {
    return FieldFilter::except({{"spec"}, {"metadata"}});
  }
  return FieldFilter::except({{"spec"}});
}

FieldFilter reset_by_resource(const reflect::KindInfo& kind) {
  if (kind.kind == "CertificateSigningRequest") return FieldFilter::except({{"spec"}, {"status"}});
  if (kind.kind == "PodCertificateRequest" || !has_status(kind)) return {};
  return FieldFilter::except({{"status"}});
}

}  // namespace

FieldFilter FieldFilter::except(const std::vector<Pattern>& reset) {
  FieldSet fields;
  for (const Pattern& names : reset) {
    Path path;
    for (const std::string& name : names) path.push_back(PathElement::field(name));
    fields.insert(path);
  }
  return {std::move(fields)};
}

FieldSet FieldFilter::operator()(const FieldSet& set) const {
  return reset_.empty() ? set : set.difference_below(reset_);
}

FieldFilter reset_fields(const reflect::Type& kind, std::string_view subresource) {
  const reflect::KindInfo& info = *kind.kind;
  if (subresource.empty()) return reset_by_resource(info);
  if (subresource == "status") return reset_by_status(info.kind);
  if (subresource == "approval") return FieldFilter::except({{"spec"}, {"status", "certificate"}});
  if (subresource == "finalize") return FieldFilter::except({{"status"}});
  return {};  // those of pods too: upstream has filters for them that nobody asks
}

FieldFilter reset_fields_of_custom(bool has_status, std::string_view subresource) {
  if (subresource == "status") return FieldFilter::except({{"metadata"}, {"spec"}});
  return has_status && subresource.empty() ? FieldFilter::except({{"status"}}) : FieldFilter();
}

}  // namespace flyball::apiserver::merge
