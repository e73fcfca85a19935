#include "flyball/apiserver/detail/api_approval.hpp"

#include "flyball/apiserver/schema/formats.hpp"
#include "flyball/apiserver/schema/go_print.hpp"

namespace flyball::apiserver::detail {
namespace {

constexpr std::string_view kSee = ", see https://github.com/kubernetes/enhancements/pull/1111";

bool is_url(std::string_view text) {
  const std::size_t host = text.find("://");
  if (host == std::string_view::npos || host == 0 || !find_format("uri")->matches(text)) return false;
  return host + 3 < text.size() && text[host + 3] != '/' && text[host + 3] != '?';
}

}  // namespace

bool is_protected_group(std::string_view group) {
  return group == "k8s.io" || group.ends_with(".k8s.io") || group == "kubernetes.io" ||
         group.ends_with(".kubernetes.io");
}

Approval approval_of(json::View definition) {
  const std::string_view text = definition["metadata"]["annotations"][kApprovedAnnotation].string_or("");
  const std::string quoted = go_quote(kApprovedAnnotation);
  if (text.empty()) {
    return {.state = Approval::State::missing,
            .reason = "protected groups must have approval annotation " + quoted + std::string(kSee)};
  }
  if (text.starts_with("unapproved")) {
    return {.state = Approval::State::bypassed, .reason = "not approved: " + go_quote(text)};
  }
  if (is_url(text)) return {.state = Approval::State::approved, .reason = "approved in " + std::string(text)};
  return {.state = Approval::State::invalid,
          .reason = "protected groups must have approval annotation " + quoted +
                    " with either a URL or a reason starting with \"unapproved\"" + std::string(kSee)};
}

}  // namespace flyball::apiserver::detail
