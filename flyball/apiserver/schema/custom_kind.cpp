#include "flyball/apiserver/schema/custom_kind.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

#include "flyball/apiserver/schema/defaults.hpp"
#include "flyball/apiserver/schema/go_print.hpp"
#include "flyball/apiserver/schema/validate.hpp"

namespace flyball::apiserver {
namespace {

std::vector<std::string> words(json::View list) {
  std::vector<std::string> found;
  for (const json::View word : list.items()) found.emplace_back(word.string_or(""));
  return found;
}

KindNames read_names(json::View names) {
  return {.plural = std::string(names["plural"].string_or("")),
          .singular = std::string(names["singular"].string_or("")),
          .kind = std::string(names["kind"].string_or("")),
          .list_kind = std::string(names["listKind"].string_or("")),
          .short_names = words(names["shortNames"]),
          .categories = words(names["categories"])};
}

bool flag(json::View of, const char* name) {
  const json::View value = of[name];
  return value.kind() == json::Kind::boolean && value.as_bool();
}

std::string default_warning(json::View spec, std::string_view version) {
  const std::string group(spec["group"].string_or(""));
  const std::string kind(spec["names"]["kind"].string_or(""));
  std::string_view best;
  for (const json::View other : spec["versions"].items()) {
    const std::string_view name = other["name"].string_or("");
    if (!flag(other, "served") || flag(other, "deprecated") || compare_kube_versions(version, name) >= 0) continue;
    if (best.empty() || compare_kube_versions(best, name) < 0) best = name;
  }
  std::string text = group + "/" + std::string(version) + " " + kind + " is deprecated";
  if (!best.empty()) text.append("; use ").append(group).append("/").append(best).append(" ").append(kind);
  return text;
}

Column read_column(json::View source) {
  Column column{.name = std::string(source["name"].string_or("")),
                .type = std::string(source["type"].string_or("")),
                .format = std::string(source["format"].string_or("")),
                .description = std::string(source["description"].string_or("")),
                .json_path = std::string(source["jsonPath"].string_or(""))};
  if (const json::View priority = source["priority"]; priority.kind() == json::Kind::integer) {
    column.priority = static_cast<std::int32_t>(priority.as_int());
  }
  if (column.description.empty()) {
    column.description = "Custom resource definition column (in JSONPath format): " + column.json_path;
  }
  column.path.emplace(column.json_path);
  return column;
}

// Upstream stops at the first path it cannot read, and shows the name alone.
std::vector<Column> read_columns(json::View sources) {
  std::vector<Column> columns;
  try {
    for (const json::View source : sources.items()) columns.push_back(read_column(source));
  } catch (const JsonPathError&) {
    return columns;
  }
  if (!columns.empty()) return columns;
  columns.push_back({.name = "Age",
                     .type = "date",
                     .description = "When the server stored this object first.",
                     .json_path = ".metadata.creationTimestamp",
                     .path = JsonPath(".metadata.creationTimestamp")});
  return columns;
}

std::string go_type_name(json::View value) { return value.is_null() ? "<nil>" : std::string(go_type(value)); }

// A simple path: ".spec.replicas". `wrong` says in Go's words what is there instead.
json::View nested(json::View object, std::string_view path, std::string& wrong) {
  if (path.starts_with('.')) path.remove_prefix(1);
  std::string seen;
  json::View at = object;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    seen.append(".").append(name);
    if (!at.is_object()) {
      wrong = seen + " accessor error: " + go_print(at) + " is of the type " + go_type_name(at) +
              ", expected map[string]interface{}";
      return {};
    }
    at = at[name];
    if (!at.exists() || (at.is_null() && dot != std::string_view::npos)) return {};
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return at;
}

void check_replicas(json::View object, const std::string& path, Problems& problems) {
  std::string wrong;
  const json::View value = nested(object, path, wrong);
  if (wrong.empty() && value.exists() && value.kind() != json::Kind::integer) {
    wrong =
        path + " accessor error: " + go_print(value) + " is of the type " + go_type_name(value) + ", expected int64";
  }
  if (!wrong.empty()) return problems.invalid(FieldPath(path), 0, wrong);
  if (!value.exists()) return;
  if (value.as_int() < 0) {
    problems.invalid(FieldPath(path), json::Value(value), "should be a non-negative integer");
  } else if (value.as_int() > std::numeric_limits<std::int32_t>::max()) {
    problems.invalid(FieldPath(path), json::Value(value), "should be less than or equal to 2147483647");
  }
}

bool has_wrong_lists(const Schema& schema, json::View object) {
  Problems problems;
  validate_lists(schema, object, problems);
  return !problems.empty();
}

struct ParsedVersion {
  int stage = 0;  // 3: v1, 2: v1beta1, 1: v1alpha1, 0: anything else
  int major = 0;
  int minor = 0;
};

ParsedVersion parse_version(std::string_view text) {
  const auto number = [&text](int& to) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    if (error != std::errc() || to <= 0 || text[0] == '0') return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
  };
  ParsedVersion version;
  if (!text.starts_with('v')) return {};
  text.remove_prefix(1);
  if (!number(version.major)) return {};
  version.stage = 3;
  if (text.empty()) return version;
  version.stage = text.starts_with("beta") ? 2 : text.starts_with("alpha") ? 1 : 0;
  if (version.stage == 0) return {};
  text.remove_prefix(version.stage == 2 ? 4 : 5);
  if (!number(version.minor) || !text.empty()) return {};
  return version;
}

}  // namespace

int compare_kube_versions(std::string_view a, std::string_view b) {
  const ParsedVersion left = parse_version(a);
  const ParsedVersion right = parse_version(b);
  if (left.stage == 0 && right.stage == 0) return b.compare(a);
  const auto parts = [](const ParsedVersion& version) {
    return std::tuple(version.stage, version.major, version.minor);
  };
  if (parts(left) == parts(right)) return 0;
  return parts(left) < parts(right) ? -1 : 1;
}

std::vector<std::shared_ptr<const CustomKind>> CustomKind::compile(json::View definition) {
  std::vector<std::shared_ptr<const CustomKind>> kinds;
  for (const json::View version : definition["spec"]["versions"].items()) {
    if (flag(version, "served")) kinds.push_back(std::make_shared<const CustomKind>(definition, version));
  }
  return kinds;
}

CustomKind::CustomKind(json::View definition, json::View version)
    : group_(definition["spec"]["group"].string_or("")),
      version_(version["name"].string_or("")),
      names_(read_names(definition["status"]["acceptedNames"]["plural"].string_or("").empty()
                            ? definition["spec"]["names"]
                            : definition["status"]["acceptedNames"])),
      namespaced_(definition["spec"]["scope"].string_or("") == "Namespaced"),
      has_status_(version["subresources"]["status"].is_object()),
      schema_(Schema::compile(version["schema"]["openAPIV3Schema"])),
      columns_(read_columns(version["additionalPrinterColumns"])) {
  const json::View spec = definition["spec"];
  for (const json::View other : spec["versions"].items()) {
    if (flag(other, "storage")) storage_version_ = other["name"].string_or("");
  }
  if (const json::View scale = version["subresources"]["scale"]; scale.is_object()) {
    scale_ = ScalePaths{.spec_replicas = std::string(scale["specReplicasPath"].string_or("")),
                        .status_replicas = std::string(scale["statusReplicasPath"].string_or("")),
                        .label_selector = std::string(scale["labelSelectorPath"].string_or(""))};
  }
  if (flag(version, "deprecated")) {
    const json::View warning = version["deprecationWarning"];
    deprecation_warning_ = warning.is_string() ? std::string(warning.as_string()) : default_warning(spec, version_);
  }
  for (const json::View field : version["selectableFields"].items()) {
    std::string_view path = field["jsonPath"].string_or("");
    if (path.starts_with('.')) path.remove_prefix(1);
    selectable_fields_.emplace_back(path);
  }
}

json::Value CustomKind::apply_defaults(json::View object, Nulls nulls) const {
  return apiserver::apply_defaults(*schema_, object, nulls);
}

Coerced CustomKind::read(json::View object) const {
  const Pruned pruned = prune(apply_defaults(object));
  Coerced read = coerce(pruned.object);
  read.unknown.insert(read.unknown.begin(), pruned.unknown.begin(), pruned.unknown.end());
  return read;
}

void CustomKind::validate(json::View object, Problems& problems) const {
  apiserver::validate(*schema_, object, problems);
  check_scale_spec(object, problems);
  check_scale_status(object, problems);
  validate_embedded(*schema_, object, problems);
  validate_lists(*schema_, object, problems);
  say_rules_are_unchecked(problems);
}

void CustomKind::validate_update(json::View object, json::View old, Problems& problems) const {
  apiserver::validate_update(*schema_, object, old, problems);
  check_scale_spec(object, problems);
  check_scale_status(object, problems);
  validate_embedded(*schema_, object, problems);
  if (!has_wrong_lists(*schema_, old)) validate_lists(*schema_, object, problems);
  say_rules_are_unchecked(problems);
}

void CustomKind::validate_status(json::View object, json::View old, Problems& problems) const {
  const SchemaNode* status = schema_->root().property("status");
  if (status != nullptr && object.contains("status")) {
    validate_part_update(*status, object["status"], old["status"], FieldPath("status"), problems);
  }
  check_scale_status(object, problems);
  if (!has_wrong_lists(*schema_, old)) validate_lists(*schema_, object, problems);
  say_rules_are_unchecked(problems);
}

void CustomKind::check_scale_spec(json::View object, Problems& problems) const {
  if (scale_) check_replicas(object, scale_->spec_replicas, problems);
}

void CustomKind::check_scale_status(json::View object, Problems& problems) const {
  if (!scale_) return;
  check_replicas(object, scale_->status_replicas, problems);
  if (scale_->label_selector.empty()) return;
  std::string wrong;
  const json::View value = nested(object, scale_->label_selector, wrong);
  if (wrong.empty() && value.exists() && !value.is_string()) {
    wrong = scale_->label_selector + " accessor error: " + go_print(value) + " is of the type " + go_type_name(value) +
            ", expected string";
  }
  if (!wrong.empty()) problems.invalid(FieldPath(scale_->label_selector), "", wrong);
}

void CustomKind::say_rules_are_unchecked(Problems& problems) const {
  const auto blocks = [](const Problem& problem) {
    switch (problem.kind) {
      case Problem::Kind::not_supported:
      case Problem::Kind::required:
      case Problem::Kind::too_long:
      case Problem::Kind::too_many:
      case Problem::Kind::type_invalid: return true;
      default: return false;
    }
  };
  if (!schema_->has_rules() || !std::any_of(problems.begin(), problems.end(), blocks)) return;
  problems.invalid(FieldPath("<nil>"), nullptr,
                   "some validation rules were not checked because the object was invalid; correct the existing errors "
                   "to complete validation");
}

std::string CustomKind::selectable_field(json::View object, std::string_view name) const {
  std::string wrong;
  const json::View value = nested(object, name, wrong);
  return value.exists() && !value.is_null() ? go_print(value) : "";
}

}  // namespace flyball::apiserver
