#include "flyball/kube/detail/crd_check.hpp"

#include <algorithm>
#include <array>

#include "flyball/base/error.hpp"
#include "flyball/kube/names.hpp"

namespace flyball::kube::detail {

namespace {

std::string where(const CrdVersion& version) {
  const reflect::KindInfo& kind = *version.type.kind;
  return std::string(kind.api_version) + " " + std::string(kind.kind);
}

void check_same_resource(const std::vector<CrdVersion>& versions) {
  const reflect::KindInfo& first = *versions.front().type.kind;
  for (const CrdVersion& version : versions) {
    const reflect::KindInfo& kind = *version.type.kind;
    if (kind.group != first.group || kind.kind != first.kind) {
      throw Error(where(version) + " and " + where(versions.front()) +
                  " are not versions of one resource: group and kind must be the same");
    }
    const auto same = [&](const CrdVersion& other) { return other.type.kind->version == kind.version; };
    if (std::ranges::count_if(versions, same) > 1) throw Error(where(version) + " is given twice");
  }
  if (const auto problems = names::dns1123_subdomain(first.group); !problems.empty()) {
    throw Error("the group \"" + std::string(first.group) + "\" is not a domain name: " + problems.front());
  }
}

// What the schema says of a path like ".spec.size"; an absent view when it has no such field. A path that is more than
// names and dots, or leads through something open, gives the null view: nothing is known.
json::View field_at(json::View schema, std::string_view path) {
  static const json::Value unknown;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t end = path.find('.');
    const std::string_view name = path.substr(0, end);
    if (name == "metadata" || name.find_first_of("[]()*?@'\"\\") != std::string_view::npos) return unknown;
    if (!schema.contains("properties")) return unknown;
    schema = schema["properties"][name];
    if (!schema.exists()) return {};
    path = end == std::string_view::npos ? std::string_view() : path.substr(end);
  }
  return schema;
}

// The API server takes versions with one schema for one, and then refuses fields that only some of them select.
void check_selectable_fields(const std::vector<CrdVersion>& versions) {
  const json::Value first = schema_of(versions.front());
  for (const CrdVersion& version : versions) {
    if (std::ranges::equal(version.options.selectableFields, versions.front().options.selectableFields)) continue;
    if (std::ranges::any_of(versions, [&](const CrdVersion& one) { return schema_of(one) != first; })) return;
    throw Error(where(version) + " and " + where(versions.front()) +
                " have the same schema but not the same selectableFields: the API server refuses that");
  }
}

class OptionsCheck {
 public:
  explicit OptionsCheck(const CrdVersion& version) : version_(version), schema_(schema_of(version)) {}

  void check() const {
    for (const PrinterColumn& column : version_.options.columns) check_column(column);
    if (const auto& scale = version_.options.scale) check_scale(*scale);
    for (const std::string_view path : version_.options.selectableFields) check_selectable(path);
    if (const auto& webhook = version_.options.conversion) check_conversion(*webhook);
    if (!version_.options.deprecated && !version_.options.deprecationWarning.empty()) {
      fail("deprecationWarning is given, but deprecated is not set");
    }
  }

 private:
  void check_column(const PrinterColumn& column) const {
    constexpr std::array<std::string_view, 5> kTypes = {"integer", "number", "string", "boolean", "date"};
    const std::string what = "the column " + std::string(column.name);
    if (std::ranges::find(kTypes, column.type) == kTypes.end()) {
      fail(what + " has the type \"" + std::string(column.type) +
           "\"; expected integer, number, string, boolean or date");
    }
    check_path(what, column.jsonPath);
  }

  void check_scale(const ScalePaths& scale) const {
    check_below("specReplicasPath", scale.specReplicasPath, ".spec.");
    check_below("statusReplicasPath", scale.statusReplicasPath, ".status.");
    if (!scale.labelSelectorPath.empty()) check_path("labelSelectorPath", scale.labelSelectorPath);
  }

  void check_selectable(std::string_view path) const {
    const json::View found = check_path("the selectable field", path);
    const std::string_view type = found.is_null() ? "string" : found["type"].string_or("");
    if (type != "string" && type != "integer" && type != "boolean") {
      fail("the selectable field \"" + std::string(path) + "\" is of the type " +
           std::string(type.empty() ? "any" : type) + "; expected string, integer or boolean");
    }
  }

  void check_conversion(const ConversionWebhook& webhook) const {
    if (webhook.url.empty() == webhook.serviceName.empty()) {
      fail("the conversion webhook needs either a url or a serviceName");
    }
    if (!webhook.serviceName.empty() && webhook.serviceNamespace.empty()) {
      fail("the conversion webhook needs the serviceNamespace of its service \"" + std::string(webhook.serviceName) +
           "\"");
    }
    if (webhook.reviewVersions.empty()) fail("the conversion webhook needs reviewVersions, such as v1");
  }

  void check_below(std::string_view what, std::string_view path, std::string_view root) const {
    if (!path.starts_with(root)) {
      fail(std::string(what) + " is \"" + std::string(path) + "\"; expected a path below " + std::string(root));
    }
    check_path(std::string(what), path);
  }

  // The schema of what the path leads to; null when nothing is known of it.
  json::View check_path(const std::string& what, std::string_view path) const {
    if (!path.starts_with('.')) {
      fail(what + " has the path \"" + std::string(path) +
           "\"; expected one that starts with a dot, such as .spec.size");
    }
    const json::View found = field_at(schema_, path);
    if (!found.exists()) fail(what + " has the path \"" + std::string(path) + "\", but the resource has no such field");
    return found;
  }

  [[noreturn]] void fail(const std::string& problem) const { throw Error(where(version_) + ": " + problem); }

  const CrdVersion& version_;
  json::Value schema_;
};

}  // namespace

void check_crd(const std::vector<CrdVersion>& versions) {
  if (versions.empty()) throw Error("a CustomResourceDefinition needs at least one version");
  check_same_resource(versions);
  for (const CrdVersion& version : versions) OptionsCheck(version).check();
  check_selectable_fields(versions);
}

}  // namespace flyball::kube::detail
