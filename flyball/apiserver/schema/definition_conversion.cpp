#include <algorithm>
#include <set>
#include <string>

#include "flyball/apiserver/detail/definition_parts.hpp"
#include "flyball/kube/names.hpp"

namespace flyball::apiserver::detail {
namespace {

namespace names = kube::names;

void check_path(std::string_view path, const FieldPath& at, Problems& problems) {
  if (path.empty() || path == "/") return;
  if (path == "//") return problems.invalid(at, path, "segment[0] may not be empty");
  if (!path.starts_with('/')) problems.invalid(at, path, "must start with a '/'");
  std::string_view rest = path.substr(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (std::size_t index = 0;; ++index) {
    const std::size_t slash = rest.find('/');
    const std::string_view step = rest.substr(0, slash);
    const std::string segment = "segment[" + std::to_string(index) + "]";
    if (step.empty()) {
      problems.invalid(at, path, segment + " may not be empty");
    } else {
      for (const std::string& wrong : names::dns1123_subdomain(step)) {
        std::string message = segment + ": ";
        problems.invalid(at, path, message.append(wrong));
      }
    }
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

// Upstream takes the name for the namespace here and the other way round; its messages say so.
void check_service(json::View service, const FieldPath& at, Problems& problems) {
  if (service["namespace"].string_or("").empty()) problems.required(at.child("name"));
  if (service["name"].string_or("").empty()) problems.required(at.child("namespace"));
  const json::View port = service["port"];
  if (port.kind() == json::Kind::integer) {
    std::string wrong;
    for (const std::string& message : names::port_number(port.as_int())) {
      wrong.append(wrong.empty() ? "" : ", ").append(message);
    }
    if (!wrong.empty()) problems.invalid(at.child("port"), json::Value(port), "port is not valid: " + wrong);
  }
  check_path(service["path"].string_or(""), at.child("path"), problems);
}

void check_url(std::string_view url, const FieldPath& at, Problems& problems) {
  const std::string form = "; desired format: https://host[/path]";
  const std::size_t colon = url.find("://");
  const std::string_view scheme = colon == std::string_view::npos ? std::string_view() : url.substr(0, colon);
  std::string_view rest = colon == std::string_view::npos ? std::string_view() : url.substr(colon + 3);
  if (scheme != "https") problems.invalid(at, scheme, "'https' is the only allowed URL scheme" + form);
  std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t user = authority.rfind('@');
  const std::string_view host = user == std::string_view::npos ? authority : authority.substr(user + 1);
  if (host.empty()) problems.invalid(at, host, "host must be specified" + form);
  if (user != std::string_view::npos) {
    problems.invalid(at, authority.substr(0, user), "user information is not permitted in the URL");
  }
  const std::size_t fragment = url.find('#');
  if (fragment != std::string_view::npos && fragment + 1 < url.size()) {
    problems.invalid(at, url.substr(fragment + 1), "fragments are not permitted in the URL");
  }
  const std::string_view before = url.substr(0, fragment);
  const std::size_t query = before.find('?');
  if (query != std::string_view::npos && query + 1 < before.size()) {
    problems.invalid(at, before.substr(query + 1), "query parameters are not permitted in the URL");
  }
}

void check_client(json::View client, const FieldPath& at, Problems& problems) {
  if (!client.is_object()) return problems.required(at, "required when strategy is set to Webhook");
  const json::View url = client["url"];
  const json::View service = client["service"];
  if (url.is_string() == service.is_object()) return problems.required(at, "exactly one of url or service is required");
  if (url.is_string()) {
    check_url(url.as_string(), at.child("url"), problems);
  } else {
    check_service(service, at.child("service"), problems);
  }
}

void check_review_versions(json::View versions, const FieldPath& at, Problems& problems) {
  if (versions.empty()) return problems.required(at);
  std::set<std::string_view> seen;
  bool accepted = false;
  std::size_t index = 0;
  for (const json::View version : versions.items()) {
    const std::string_view name = version.string_or("");
    const FieldPath place = at.index(index++);
    if (!seen.insert(name).second) {
      problems.invalid(place, name, "duplicate version");
      continue;
    }
    problems.invalid(place, name, names::dns1035_label(name));
    accepted = accepted || name == "v1" || name == "v1beta1";
  }
  if (!accepted) problems.invalid(at, json::Value(versions), "must include at least one of v1, v1beta1");
}

}  // namespace

void check_conversion(json::View conversion, bool preserve_unknown, const FieldPath& at, Problems& problems) {
  if (!conversion.is_object()) return;
  const std::string_view strategy = conversion["strategy"].string_or("");
  if (strategy != "None" && preserve_unknown) {
    problems.invalid(at.child("strategy"), strategy, "must be None if spec.preserveUnknownFields is true");
  }
  if (strategy.empty()) {
    problems.required(at.child("strategy"));
  } else if (strategy != "None" && strategy != "Webhook") {
    problems.not_supported(at.child("strategy"), strategy, {"None", "Webhook"});
  }
  const json::View webhook = conversion["webhook"];
  const FieldPath client = at.child("webhookClientConfig");
  const FieldPath versions = at.child("conversionReviewVersions");
  if (strategy == "Webhook") {
    check_client(webhook["clientConfig"], client, problems);
    return check_review_versions(webhook["conversionReviewVersions"], versions, problems);
  }
  constexpr std::string_view kMessage = "should not be set when strategy is not set to Webhook";
  if (webhook["clientConfig"].is_object()) problems.forbidden(client, kMessage);
  if (!webhook["conversionReviewVersions"].empty()) problems.forbidden(versions, kMessage);
}

}  // namespace flyball::apiserver::detail
