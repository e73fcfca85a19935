// Requests for certificates, and bundles of trusted ones.
#include <array>

#include "flyball/apiserver/tables/rule.hpp"

namespace flyball::apiserver::tables {
namespace {

constexpr std::string_view kGroup = "certificates.k8s.io";

constexpr std::array kRequestColumns = {
    kName, kAge, column("SignerName"), column("Requestor"), column("RequestedDuration"), column("Condition")};

std::string request_status(json::View status) {
  const json::View conditions = status["conditions"];
  std::string shown = "Pending";
  if (given(condition(conditions, "Approved"))) shown = "Approved";
  if (given(condition(conditions, "Denied"))) shown = "Denied";
  if (given(condition(conditions, "Failed"))) shown += ",Failed";
  if (!text(status["certificate"]).empty()) shown += ",Issued";
  return shown;
}

json::Value request_cells(json::View object, WallTime now) {
  const json::View spec = object["spec"];
  const json::View seconds = spec["expirationSeconds"];
  return row(name_of(object), age_of(object, now), text_or(spec["signerName"], "<none>"), text(spec["username"]),
             given(seconds) ? human_duration(std::chrono::seconds(number(seconds))) : "<none>",
             request_status(object["status"]));
}

constexpr std::array kBundleColumns = {kName, column("SignerName")};

json::Value bundle_cells(json::View object, WallTime /*now*/) {
  return row(name_of(object), text_or(object["spec"]["signerName"], "<none>"));
}

constexpr std::array kPodRequestColumns = {kName,
                                           column("PodName"),
                                           column("ServiceAccountName"),
                                           column("NodeName"),
                                           column("SignerName"),
                                           column("State"),
                                           column("UnverifiedUserAnnotations")};

std::string_view pod_request_state(json::View status) {
  std::string_view state = "Pending";
  for (const json::View one : status["conditions"].items()) {
    const std::string_view type = text(one["type"]);
    if (type == "Issued" || type == "Denied" || type == "Failed") state = type;
  }
  return state;
}

json::Value pod_request_cells(json::View object, WallTime /*now*/) {
  const json::View spec = object["spec"];
  return row(name_of(object), text(spec["podName"]), text(spec["serviceAccountName"]), text(spec["nodeName"]),
             text(spec["signerName"]), pod_request_state(object["status"]),
             labels_text(spec["unverifiedUserAnnotations"]));
}

constexpr std::array kRules = {
    TableRule{.group = kGroup, .kind = "CertificateSigningRequest", .columns = kRequestColumns, .cells = request_cells},
    TableRule{.group = kGroup, .kind = "ClusterTrustBundle", .columns = kBundleColumns, .cells = bundle_cells},
    TableRule{
        .group = kGroup, .kind = "PodCertificateRequest", .columns = kPodRequestColumns, .cells = pod_request_cells},
};

}  // namespace

std::span<const TableRule> certificate_rules() { return kRules; }

}  // namespace flyball::apiserver::tables
