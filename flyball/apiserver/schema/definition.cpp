#include "flyball/apiserver/schema/definition.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "flyball/apiserver/detail/api_approval.hpp"
#include "flyball/apiserver/detail/definition_parts.hpp"
#include "flyball/apiserver/schema/definition_status.hpp"
#include "flyball/apiserver/schema/formats.hpp"
#include "flyball/apiserver/schema/go_print.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/kube/names.hpp"

namespace flyball::apiserver {
namespace {

namespace names = kube::names;
using detail::Shared;

constexpr std::size_t kMostSelectableFields = 8;

std::string lower(std::string_view text) {
  std::string to(text);
  std::ranges::transform(to, to.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return to;
}

std::string joined(const names::Messages& messages, std::string_view between = ",") {
  std::string text;
  for (const std::string& message : messages) text.append(text.empty() ? "" : between).append(message);
  return text;
}

bool flag(json::View value) { return value.kind() == json::Kind::boolean && value.as_bool(); }

json::Value text_of(json::View value) { return json::Value(value.string_or("")); }

class Checker {
 public:
  Checker(json::View definition, json::View old, Problems& problems)
      : definition_(definition),
        old_(old),
        spec_(definition["spec"]),
        versions_(spec_["versions"]),
        shared_(detail::shared_of(versions_)),
        problems_(problems) {}

  void check_spec() {
    group();
    one_of_strings(spec_["scope"].string_or(""), {"Cluster", "Namespaced"}, at_.child("scope"));
    if (shared_.schema ? !versions_[0]["schema"]["openAPIV3Schema"].is_object() : true) missing_schemas();
    if (keeps_unknown() && has_defaults()) {
      problems_.invalid(at_.child("preserveUnknownFields"), true,
                        "must be false in order to use defaults in the schema");
    }
    versions();
    required_names();
    check_names(spec_["names"], at_.child("names"));
    shared_parts();
    detail::check_conversion(spec_["conversion"], keeps_unknown(), at_.child("conversion"), problems_);
  }

  void check_names(json::View of, const FieldPath& at) {
    const auto label = [&](const char* key, const FieldPath& place, bool mixed_case) {
      const std::string_view name = of[key].string_or("");
      const names::Messages wrong = names::dns1035_label(mixed_case ? lower(name) : std::string(name));
      if (name.empty() || wrong.empty()) return;
      const char* before = mixed_case ? "may have mixed case, but should otherwise match: " : "";
      problems_.invalid(place, name, before + joined(wrong));
    };
    const auto labels = [&](const char* key) {
      std::size_t index = 0;
      for (const json::View word : of[key].items()) {
        const names::Messages wrong = names::dns1035_label(word.string_or(""));
        const FieldPath place = at.child(key).index(index++);
        if (!wrong.empty()) problems_.invalid(place, text_of(word), joined(wrong));
      }
    };
    label("plural", at.child("plural"), false);
    label("singular", at.child("singular"), false);
    label("kind", at.child("kind"), true);
    label("listKind", at.child("listKind"), true);
    labels("shortNames");
    const std::string_view kind = of["kind"].string_or("");
    if (!kind.empty() && kind == of["listKind"].string_or("")) {
      problems_.invalid(at.child("listKind"), kind, "kind and listKind may not be the same");
    }
    labels("categories");
  }

  void check_stored_versions() {
    const json::View stored = definition_["status"]["storedVersions"];
    const FieldPath at("status.storedVersions");
    if (stored.empty()) {
      return problems_.invalid(at, stored.exists() ? json::Value(stored) : json::Value(),
                               "must have at least one stored version");
    }
    const auto is_in = [](json::View list, json::View name, const char* key) {
      const json::Items items = list.items();
      return std::any_of(items.begin(), items.end(),
                         [&](json::View one) { return (key == nullptr ? one : one[key]) == name; });
    };
    for (const json::View version : versions_.items()) {
      if (!flag(version["storage"]) || is_in(stored, version["name"], nullptr)) continue;
      problems_.invalid(at, json::Value(stored),
                        "must have the storage version " + std::string(version["name"].string_or("")));
    }
    std::size_t index = 0;
    for (const json::View name : stored.items()) {
      const FieldPath place = at.index(index++);
      if (is_in(versions_, name, "name")) continue;
      const std::string text(name.string_or(""));
      std::string message = "missing from spec.versions; ";
      message.append(text).append(
          " was previously a storage version, and must remain in spec.versions until a storage ");
      message.append("migration ensures no data remains persisted in ").append(text).append(" and removes ");
      message.append(text).append(" from status.storedVersions");
      problems_.invalid(place, text, message);
    }
  }

  void check_approval() {
    if (!detail::is_protected_group(spec_["group"].string_or(""))) return;
    const detail::Approval approval = detail::approval_of(definition_);
    if (old_.exists() && detail::approval_of(old_).state == approval.state) return;
    const FieldPath at = FieldPath("metadata.annotations").key(detail::kApprovedAnnotation);
    if (approval.state == detail::Approval::State::missing) {
      problems_.required(at, approval.reason);
    } else if (approval.state == detail::Approval::State::invalid) {
      problems_.invalid(at, text_of(definition_["metadata"]["annotations"][detail::kApprovedAnnotation]),
                        approval.reason);
    }
  }

  void check_unknown_fields() {
    if (flag(old_["spec"]["preserveUnknownFields"]) || !keeps_unknown()) return;
    problems_.invalid(at_.child("preserveUnknownFields"), true,
                      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema "
                      "instead");
  }

  void check_unchanged(json::View old_spec) {
    const auto same = [&](json::View now, json::View before, const FieldPath& at) {
      if (now != before) problems_.invalid(at, text_of(now), "field is immutable");
    };
    if (is_condition_true(old_["status"], "Established")) {
      same(spec_["scope"], old_spec["scope"], at_.child("scope"));
      same(spec_["names"]["kind"], old_spec["names"]["kind"], at_.child("names").child("kind"));
    }
    same(spec_["group"], old_spec["group"], at_.child("group"));
    same(spec_["names"]["plural"], old_spec["names"]["plural"], at_.child("names").child("plural"));
  }

 private:
  bool keeps_unknown() const { return flag(spec_["preserveUnknownFields"]); }

  bool has_defaults() const {
    const json::Items items = versions_.items();
    return std::any_of(items.begin(), items.end(), [](json::View version) {
      return detail::any_schema(version["schema"]["openAPIV3Schema"], [](json::View schema) {
        return schema.contains("default") && !schema["default"].is_null();
      });
    });
  }

  void group() {
    const std::string_view group = spec_["group"].string_or("");
    const FieldPath at = at_.child("group");
    if (group.empty()) return problems_.required(at);
    if (const names::Messages wrong = names::dns1123_subdomain(group); !wrong.empty()) {
      problems_.invalid(at, group, joined(wrong));
    } else if (group.find('.') == std::string_view::npos) {
      problems_.invalid(at, group, "should be a domain with at least one dot");
    }
  }

  void one_of_strings(std::string_view value, const std::vector<std::string_view>& supported, const FieldPath& at) {
    if (value.empty()) return problems_.required(at);
    if (std::ranges::find(supported, value) == supported.end()) problems_.not_supported(at, value, supported);
  }

  void missing_schemas() {
    std::size_t index = 0;
    for (const json::View version : versions_.items()) {
      const FieldPath at = at_.child("versions").index(index++).child("schema").child("openAPIV3Schema");
      if (!version["schema"]["openAPIV3Schema"].is_object()) problems_.required(at);
    }
  }

  void versions() {
    std::set<std::string_view> seen;
    std::size_t stored = 0;
    std::size_t index = 0;
    for (const json::View version : versions_.items()) {
      const FieldPath at = at_.child("versions").index(index++);
      const std::string_view name = version["name"].string_or("");
      stored += flag(version["storage"]) ? 1 : 0;
      seen.insert(name);
      if (const names::Messages wrong = names::dns1035_label(name); !wrong.empty()) {
        problems_.invalid(at.child("name"), name, joined(wrong));
      }
      deprecation(version, at.child("deprecationWarning"));
      if (!shared_.schema) {
        schema(version["schema"], version["subresources"]["status"].is_object(), at.child("schema"));
      }
      if (!shared_.subresources) subresources(version["subresources"], at.child("subresources"));
      if (!shared_.columns) columns(version["additionalPrinterColumns"], at.child("additionalPrinterColumns"));
      if (!shared_.selectable_fields) selectable_fields(version, at.child("selectableFields"));
    }
    const json::Value shown = detail::internal_versions(versions_, shared_);
    if (seen.size() != versions_.size()) {
      problems_.invalid(at_.child("versions"), shown, "must contain unique version names");
    }
    if (stored != 1) {
      problems_.invalid(at_.child("versions"), versions_.empty() && !versions_.is_array() ? json::Value() : shown,
                        "must have exactly one version marked as storage version");
    }
    const std::string_view first = versions_[0]["name"].string_or("");
    if (const names::Messages wrong = names::dns1035_label(first); !first.empty() && !wrong.empty()) {
      problems_.invalid(at_.child("version"), first, joined(wrong));
    }
  }

  // What all versions share is checked once, where the older form had it.
  void shared_parts() {
    const json::View version = versions_[0];
    if (shared_.schema) schema(version["schema"], has_any_status(), at_.child("validation"));
    if (shared_.subresources) subresources(version["subresources"], at_.child("subresources"));
    if (shared_.columns) columns(version["additionalPrinterColumns"], at_.child("additionalPrinterColumns"));
    if (shared_.selectable_fields) selectable_fields(version, at_.child("selectableFields"));
  }

  bool has_any_status() const {
    const json::Items items = versions_.items();
    return std::any_of(items.begin(), items.end(),
                       [](json::View version) { return version["subresources"]["status"].is_object(); });
  }

  void schema(json::View validation, bool has_status, const FieldPath& at) {
    const json::View source = validation["openAPIV3Schema"];
    if (!source.is_object()) return;
    const std::shared_ptr<const Schema> compiled = Schema::compile(source);
    detail::check_definition_schema(compiled->root(), has_status, at.child("openAPIV3Schema"), problems_);
  }

  void deprecation(json::View version, const FieldPath& at) {
    const json::View warning = version["deprecationWarning"];
    if (!warning.is_string()) return;
    const std::string_view text = warning.as_string();
    const auto wrong = [&](std::string_view message) { problems_.invalid(at, text, message); };
    if (!flag(version["deprecated"])) return wrong("can only be set for deprecated versions");
    if (text.size() > 256) wrong("must be <= 256 characters long");
    if (text.empty()) wrong("must not be an empty string");
    for (std::size_t i = 0; i < text.size(); i += go_character_size(text.substr(i))) {
      // Go's strconv.Quote escapes what is not printable, and two more.
      const std::string_view character = text.substr(i, go_character_size(text.substr(i)));
      if (character == "\"" || character == "\\" || go_quote(character).size() == character.size() + 2) {
        continue;
      }
      return wrong("must only contain printable UTF-8 characters; non-printable character found at index " +
                   std::to_string(i));
    }
  }

  bool simple_path(std::string_view path, const FieldPath& at) {
    if (path.starts_with('.')) return true;
    problems_.invalid(at, path, "must be a simple json path starting with .");
    return false;
  }

  void scale_path(std::string_view path, const FieldPath& at, std::string_view under) {
    if (path.empty()) return problems_.required(at);
    if (!simple_path(path, at) || path.starts_with(std::string(under) + ".")) return;
    problems_.invalid(at, path, "should be a json path under " + std::string(under));
  }

  void subresources(json::View of, const FieldPath& at) {
    const json::View scale = of["scale"];
    if (!scale.is_object()) return;
    scale_path(scale["specReplicasPath"].string_or(""), at.child("scale.specReplicasPath"), ".spec");
    scale_path(scale["statusReplicasPath"].string_or(""), at.child("scale.statusReplicasPath"), ".status");
    const std::string_view selector = scale["labelSelectorPath"].string_or("");
    const FieldPath place = at.child("scale.labelSelectorPath");
    if (selector.empty() || !simple_path(selector, place)) return;
    if (!selector.starts_with(".spec.") && !selector.starts_with(".status.")) {
      problems_.invalid(place, selector, "should be a json path under either .spec or .status");
    }
  }

  void columns(json::View all, const FieldPath& at) {
    std::size_t index = 0;
    for (const json::View column : all.items()) {
      const FieldPath place = at.index(index++);
      if (column["name"].string_or("").empty()) problems_.required(place.child("name"));
      constexpr std::string_view kTypes = "boolean,date,integer,number,string";
      constexpr std::string_view kFormats = "byte,date,date-time,double,float,int32,int64,password";
      const std::string_view type = column["type"].string_or("");
      const std::string_view format = column["format"].string_or("");
      if (type.empty()) {
        problems_.required(place.child("type"), "must be one of " + std::string(kTypes));
      } else if (!is_word(kTypes, type)) {
        problems_.invalid(place.child("type"), type, "must be one of " + std::string(kTypes));
      }
      if (!format.empty() && !is_word(kFormats, format)) {
        problems_.invalid(place.child("format"), format, "must be one of " + std::string(kFormats));
      }
      const std::string_view path = column["jsonPath"].string_or("");
      if (path.empty()) {
        problems_.required(place.child("JSONPath"));
      } else {
        simple_path(path, place.child("JSONPath"));
      }
    }
  }

  static bool is_word(std::string_view words, std::string_view word) {
    while (!words.empty()) {
      const std::size_t comma = words.find(',');
      if (words.substr(0, comma) == word) return true;
      words = comma == std::string_view::npos ? std::string_view() : words.substr(comma + 1);
    }
    return false;
  }

  void selectable_fields(json::View version, const FieldPath& at) {
    const json::View fields = version["selectableFields"];
    if (fields.empty()) return;
    const std::shared_ptr<const Schema> compiled = Schema::compile(version["schema"]["openAPIV3Schema"]);
    std::set<std::string_view> seen;
    std::size_t index = 0;
    for (const json::View field : fields.items()) {
      const FieldPath place = at.index(index++).child("jsonPath");
      const std::string_view path = field["jsonPath"].string_or("");
      std::string wrong;
      if (path.empty()) {
        problems_.required(place);
        continue;
      }
      const SchemaNode* found = detail::find_by_path(compiled->root(), path, wrong);
      if (found == nullptr) {
        problems_.invalid(place, path, "is an invalid path: " + wrong);
        continue;
      }
      if (path == ".metadata" || path.starts_with(".metadata.")) {
        problems_.invalid(place, path, "must not point to fields in metadata");
      }
      if (found->type != "string" && found->type != "boolean" && found->type != "integer") {
        problems_.invalid(
            place, path,
            "must point to a field of type string, boolean or integer. Enum string fields and strings with "
            "formats are allowed.");
      }
      if (!seen.insert(path).second) problems_.duplicate(place, path);
    }
    if (seen.size() > kMostSelectableFields && !had_as_many(version)) {
      problems_.too_many(at, seen.size(), kMostSelectableFields);
    }
  }

  bool had_as_many(json::View version) const {
    for (const json::View before : old_["spec"]["versions"].items()) {
      if (before["name"] == version["name"]) return before["selectableFields"] == version["selectableFields"];
    }
    return false;
  }

  void required_names() {
    for (const char* key : {"plural", "singular", "kind", "listKind"}) {
      if (spec_["names"][key].string_or("").empty()) problems_.required(at_.child("names").child(key));
    }
  }

  FieldPath at_ = FieldPath("spec");
  json::View definition_;
  json::View old_;
  json::View spec_;
  json::View versions_;
  Shared shared_;
  Problems& problems_;
};

void check_all(json::View definition, json::View old, Problems& problems) {
  Checker checker(definition, old, problems);
  checker.check_spec();
  if (old.exists()) checker.check_unchanged(old["spec"]);
  checker.check_names(definition["status"]["acceptedNames"], FieldPath("status.acceptedNames"));
  checker.check_stored_versions();
  checker.check_approval();
  checker.check_unknown_fields();
}

std::vector<std::string> unrecognized_formats(json::View definition) {
  std::vector<std::string> found;
  const json::View versions = definition["spec"]["versions"];
  const bool shared = detail::shared_of(versions).schema;
  for (const json::View version : versions.items()) {
    detail::any_schema(version["schema"]["openAPIV3Schema"], [&](json::View schema) {
      const std::string_view format = schema["format"].string_or("");
      if (!format.empty() && !is_checked_format(schema["type"].string_or(""), format)) found.emplace_back(format);
      return false;
    });
    if (shared) break;
  }
  return found;
}

}  // namespace

json::Value default_definition(json::View definition) {
  json::Draft draft{json::Value(definition)};
  json::Draft::Node spec = draft.root().ensure_object("spec");
  const json::View given = definition["spec"]["names"];
  const std::string_view kind = given["kind"].string_or("");
  json::Draft::Node names = spec.ensure_object("names");
  if (given["singular"].string_or("").empty() && !kind.empty()) names.set("singular", lower(kind));
  if (given["listKind"].string_or("").empty() && !kind.empty()) names.set("listKind", std::string(kind) + "List");
  if (!definition["spec"]["conversion"].is_object()) spec.set("conversion", json::object({{"strategy", "None"}}));
  const json::View service = definition["spec"]["conversion"]["webhook"]["clientConfig"]["service"];
  if (service.is_object() && !service.contains("port"))
    draft.set("/spec/conversion/webhook/clientConfig/service/port", 443);
  if (definition["status"]["storedVersions"].empty()) {
    for (const json::View version : definition["spec"]["versions"].items()) {
      if (!flag(version["storage"])) continue;
      draft.root().ensure_object("status").set("storedVersions", json::array({json::Value(version["name"])}));
      break;
    }
  }
  return draft.build();
}

void validate_definition(json::View definition, Problems& problems) {
  const std::string_view name = definition["metadata"]["name"].string_or("");
  const json::View spec = definition["spec"];
  const std::string wanted =
      std::string(spec["names"]["plural"].string_or("")) + "." + std::string(spec["group"].string_or(""));
  if (name != wanted) {
    problems.invalid(FieldPath("metadata.name"), name, "must be spec.names.plural+\".\"+spec.group");
  }
  check_all(definition, {}, problems);
}

void validate_definition_update(json::View next, json::View old, Problems& problems) { check_all(next, old, problems); }

void validate_definition_status(json::View definition, Problems& problems) {
  Checker(definition, {}, problems)
      .check_names(definition["status"]["acceptedNames"], FieldPath("status.acceptedNames"));
}

std::vector<std::string> definition_warnings(json::View definition, json::View old) {
  const std::vector<std::string> before = old.exists() ? unrecognized_formats(old) : std::vector<std::string>();
  std::vector<std::string> warnings;
  for (const std::string& format : unrecognized_formats(definition)) {
    if (std::ranges::find(before, format) == before.end()) {
      warnings.push_back("unrecognized format " + go_quote(format));
    }
  }
  return warnings;
}

}  // namespace flyball::apiserver
