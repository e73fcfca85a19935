#include "flyball/apiserver/schema/validate.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "flyball/apiserver/detail/schema_faults.hpp"
#include "flyball/apiserver/detail/unchanged.hpp"
#include "flyball/apiserver/schema/formats.hpp"
#include "flyball/apiserver/schema/go_print.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

using detail::Fault;
using detail::Faults;
using detail::Former;
using detail::Place;

std::string_view schema_type(json::View value) {
  switch (value.kind()) {
    case json::Kind::boolean: return "boolean";
    case json::Kind::integer: return "integer";
    case json::Kind::number: return "number";
    case json::Kind::string: return "string";
    case json::Kind::array: return "array";
    case json::Kind::object: return "object";
    default: return "null";
  }
}

std::string_view go_format(json::View value) {
  if (value.kind() == json::Kind::integer) return "int64";
  return value.kind() == json::Kind::number ? "float64" : "";
}

class Validator {
 public:
  // `former` is null where there is nothing to compare with.
  Faults check(const SchemaNode& schema, json::View value, const Place& at, const Former* former) {
    Faults faults = run(schema, value, at, former);
    if (!faults.empty() && former != nullptr && detail::is_unchanged(*former)) faults.forget();
    return faults;
  }

 private:
  static Faults one(Fault fault) {
    Faults faults;
    faults.add(std::move(fault));
    return faults;
  }

  // Each check counts when it was made and what it found: of alternatives that all fail, the one that got furthest is
  // reported.
  Faults run(const SchemaNode& schema, json::View value, const Place& at, const Former* former) {
    Faults faults;
    if (value.is_null()) {
      faults.merge(check_type(schema, value, at));
      faults.merge(check_enum(schema, value, at));
      return faults;
    }
    const auto made = [&faults](Faults found) {
      faults.merge(std::move(found));
      faults.count();
    };
    if (!schema.type.empty() || schema.int_or_string || !schema.format.empty()) made(check_type(schema, value, at));
    made(check_combinations(schema, value, at));
    if (value.is_string()) made(check_string(schema, value, at));
    if (value.is_string() && schema.checked_format != nullptr) made(check_format(schema, value, at));
    if (value.kind() == json::Kind::integer || value.kind() == json::Kind::number) {
      made(detail::check_number(schema, value, at));
    }
    if (value.is_array()) made(check_list(schema, value, at, former));
    made(check_enum(schema, value, at));
    if (value.is_object()) made(check_object(schema, value, at, former));
    faults.count();
    return faults;
  }

  static std::string types(const SchemaNode& schema) {
    return schema.int_or_string ? "integer,string" : std::string(schema.type);
  }
  static bool takes(const SchemaNode& schema, std::string_view type) {
    return schema.int_or_string ? type == "integer" || type == "string" : schema.type == type;
  }

  static Faults check_type(const SchemaNode& schema, json::View value, const Place& at) {
    Faults faults;
    const std::string_view type = schema_type(value);
    const auto wrong = [&](std::string_view wanted, std::string_view found) {
      return one(detail::wrong_type(at, wanted, found));
    };
    if (value.is_null()) {
      if (!types(schema).empty() && !schema.nullable) return wrong(types(schema), type);
      faults.count();
      return faults;
    }
    const bool text = value.is_string() || value.is_array();
    const bool numeric = takes(schema, "number") || takes(schema, "integer");
    const bool whole = type == "number" && takes(schema, "integer") && detail::is_whole(value.as_double());
    const bool fits = takes(schema, type) || whole || (type == "integer" && takes(schema, "number"));
    if (!text && !schema.format.empty() && !fits && go_format(value) != schema.format) {
      return wrong(schema.format, go_format(value));
    }
    faults.count();
    if (text && !numeric && !schema.format.empty()) return faults;
    if (!fits) return wrong(types(schema), type);
    return faults;
  }

  static Faults check_string(const SchemaNode& schema, json::View value, const Place& at) {
    const std::string_view text = value.as_string();
    const auto length = [&] { return static_cast<std::int64_t>(detail::count_characters(text)); };
    if (schema.max_length && length() > *schema.max_length) {
      const std::string limit = std::to_string(*schema.max_length);
      return one({.kind = Problem::Kind::too_long,
                  .path = at.text(),
                  .message = at.text() + " in body should be at most " + limit + " chars long",
                  .shown = "Too long: may not be more than " + limit + (limit == "1" ? " byte" : " bytes")});
    }
    if (schema.min_length && length() < *schema.min_length) {
      return one(detail::invalid(at, value,
                                 " in body should be at least " + std::to_string(*schema.min_length) + " chars long"));
    }
    if (schema.pattern.empty()) return {};
    std::string pattern(schema.pattern);
    if (schema.regex == nullptr) {
      pattern.append(", but pattern is invalid: ").append(schema.regex_error);
    } else if (schema.regex->search(text)) {
      return {};
    }
    return one(detail::invalid(at, value, " in body should match '" + pattern + "'"));
  }

  static Faults check_format(const SchemaNode& schema, json::View value, const Place& at) {
    if (schema.checked_format->matches(value.as_string())) return {};
    return one(detail::wrong_type(at, schema.format, value.as_string()));
  }

  // Numbers are compared as the type the enumeration has.
  static bool is_enumerated(json::View value, json::View one) {
    if (value.kind() == one.kind()) return value == one && !value.is_null();
    if (value.kind() == json::Kind::integer && one.kind() == json::Kind::number) return value == one;
    if (value.kind() == json::Kind::number && one.kind() == json::Kind::integer) {
      return std::trunc(value.as_double()) == one.as_double();
    }
    return false;
  }

  static Faults check_enum(const SchemaNode& schema, json::View value, const Place& at) {
    if (schema.enumeration.empty()) return {};
    const auto matches = [&](json::View one) { return is_enumerated(value, one); };
    if (std::ranges::any_of(schema.enumeration, matches)) return {};
    std::string all;
    std::string supported;
    for (const json::View one : schema.enumeration) {
      all.append(all.empty() ? "" : " ").append(go_print(one));
      const std::string text = one.is_string() ? std::string(one.as_string()) : json::write(one);
      supported.append(supported.empty() ? "supported values: " : ", ").append(go_quote(text));
    }
    return one({.kind = Problem::Kind::not_supported,
                .path = at.text(),
                .message = at.text() + " in body should be one of [" + all + "]",
                .shown = "Unsupported value: " + detail::shown(value) + ": " + supported});
  }

  Faults check_list(const SchemaNode& schema, json::View value, const Place& at, const Former* former) {
    Faults faults;
    if (schema.items != nullptr) {
      std::size_t index = 0;
      for (const json::View item : value.items()) {
        const Place place(at, index);
        const std::optional<Former> item_former = former == nullptr ? std::nullopt : detail::former_item(*former, item);
        faults.merge(check(*schema.items, item, place, item_former ? &*item_former : nullptr));
        ++index;
      }
    }
    const auto size = static_cast<std::int64_t>(value.size());
    if (schema.min_items && size < *schema.min_items) {
      faults.add(detail::invalid(at, json::Value(size),
                                 " in body should have at least " + std::to_string(*schema.min_items) + " items"));
    }
    if (schema.max_items && size > *schema.max_items) {
      faults.add(detail::too_many(at, size, *schema.max_items, "items"));
    }
    if (schema.unique_items && has_duplicates(value)) {
      faults.add(detail::invalid(at, json::Value(""), " in body shouldn't contain duplicates"));
    }
    faults.count();
    return faults;
  }

  static bool has_duplicates(json::View list) {
    std::vector<json::View> seen;
    for (const json::View item : list.items()) {
      if (std::ranges::any_of(seen, [&](json::View other) { return other == item; })) return true;
      seen.push_back(item);
    }
    return false;
  }

  Faults check_object(const SchemaNode& schema, json::View value, const Place& at, const Former* former) {
    Faults faults;
    const auto size = static_cast<std::int64_t>(value.size());
    if (schema.min_properties && size < *schema.min_properties) {
      faults.add(
          detail::invalid(at, json::Value(size),
                          " in body should have at least " + std::to_string(*schema.min_properties) + " properties"));
    }
    if (schema.max_properties && size > *schema.max_properties) {
      faults.add(detail::too_many(at, size, *schema.max_properties, "properties"));
    }
    check_additional(schema, value, at, former, faults);
    for (const auto& [name, property] : schema.properties) {
      const json::View member = value[name];
      if (member.exists()) check_member(property, name, member, Place(at, name, false), former, faults);
    }
    for (const std::string_view name : schema.required) {
      if (value.contains(name)) continue;
      const std::string path = at.text() + "." + std::string(name);
      faults.add({.kind = Problem::Kind::required,
                  .path = path,
                  .message = path + " in body is required",
                  .shown = "Required value"});
    }
    return faults;
  }

  void check_additional(const SchemaNode& schema, json::View value, const Place& at, const Former* former,
                        Faults& faults) {
    if (schema.additional == SchemaNode::Additional::none) return;
    for (const auto& [name, member] : value.entries()) {
      if (schema.property(name) != nullptr) continue;
      if (schema.additional == SchemaNode::Additional::denied) {
        faults.add({.path = at.text(),
                    .message = at.text() + "." + std::string(name) + " in body is a forbidden property",
                    .shown = "Invalid value: " + go_quote(name) + ": " + at.text() + "." + std::string(name) +
                             " in body is a forbidden property"});
      } else if (schema.additional_schema != nullptr) {
        check_member(*schema.additional_schema, name, member, Place(at, name, true), former, faults);
      }
    }
  }

  void check_member(const SchemaNode& schema, std::string_view name, json::View member, const Place& place,
                    const Former* former, Faults& faults) {
    std::optional<Former> member_former;
    if (former != nullptr) member_former = detail::former_member(*former, name);
    // Old and new are seen in the same version: a changed apiVersion would not show.
    if (place.parent_is_root() && (name == "kind" || name == "apiVersion")) member_former.reset();
    faults.merge(check(schema, member, place, member_former ? &*member_former : nullptr));
  }

  // Within alternatives nothing is tolerated.
  Faults check_combinations(const SchemaNode& schema, json::View value, const Place& at) {
    Faults faults;
    if (!schema.any_of.empty()) check_any_of(schema, value, at, faults);
    if (!schema.one_of.empty()) check_one_of(schema, value, at, faults);
    if (!schema.all_of.empty()) check_all_of(schema, value, at, faults);
    if (schema.not_ != nullptr && run(*schema.not_, value, at, nullptr).empty()) {
      faults.add(detail::unplaced(at, " must not validate the schema (not)"));
    }
    faults.count();
    return faults;
  }

  void check_any_of(const SchemaNode& schema, json::View value, const Place& at, Faults& faults) {
    std::optional<Faults> best;
    for (const SchemaNode& alternative : schema.any_of) {
      Faults found = run(alternative, value, at, nullptr);
      if (found.empty()) return faults.merge(std::move(found));
      if (!best || found.counted() > best->counted()) best = std::move(found);
    }
    faults.add(detail::unplaced(at, " must validate at least one schema (anyOf)"));
    faults.merge(std::move(*best));
  }

  void check_one_of(const SchemaNode& schema, json::View value, const Place& at, Faults& faults) {
    std::optional<Faults> best;
    std::optional<Faults> first;
    int valid = 0;
    for (const SchemaNode& alternative : schema.one_of) {
      Faults found = run(alternative, value, at, nullptr);
      if (found.empty()) {
        ++valid;
        best.reset();
        if (!first) first = std::move(found);
      } else if (valid == 0 && (!best || found.counted() > best->counted())) {
        best = std::move(found);
      }
    }
    if (valid == 1) return faults.merge(std::move(*first));
    const std::string found =
        valid == 0 ? "Found none valid" : "Found " + std::to_string(valid) + " valid alternatives";
    faults.add(detail::unplaced(at, " must validate one and only one schema (oneOf). " + found));
    if (best) faults.merge(std::move(*best));
  }

  void check_all_of(const SchemaNode& schema, json::View value, const Place& at, Faults& faults) {
    std::size_t valid = 0;
    for (const SchemaNode& part : schema.all_of) {
      Faults found = run(part, value, at, nullptr);
      if (found.empty()) ++valid;
      faults.merge(std::move(found));
    }
    if (valid == schema.all_of.size()) return;
    faults.add(detail::unplaced(
        at, std::string(" must validate all the schemas (allOf)") + (valid == 0 ? ". None validated" : "")));
  }
};

void report(Faults faults, const FieldPath& at, Problems& problems) {
  for (const Fault& fault : std::move(faults).once()) {
    std::string_view name = fault.path;
    if (name.starts_with('.')) name.remove_prefix(1);
    const bool here = fault.without_place || name.empty();
    const FieldPath place = !here ? at.child(name) : at.text().empty() ? FieldPath("<nil>") : at;
    problems.add(fault.kind, place, fault.shown);
  }
}

}  // namespace

void validate(const Schema& schema, json::View object, Problems& problems) {
  validate_part(schema.root(), object, {}, problems);
}

void validate_update(const Schema& schema, json::View object, json::View old, Problems& problems) {
  validate_part_update(schema.root(), object, old, {}, problems);
}

void validate_part(const SchemaNode& schema, json::View value, const FieldPath& at, Problems& problems) {
  report(Validator().check(schema, value, Place(), nullptr), at, problems);
}

void validate_part_update(const SchemaNode& schema, json::View value, json::View old, const FieldPath& at,
                          Problems& problems) {
  if (!old.exists()) return validate_part(schema, value, at, problems);
  const Former former{.schema = &schema, .value = value, .old = old};
  report(Validator().check(schema, value, Place(), &former), at, problems);
}

}  // namespace flyball::apiserver
