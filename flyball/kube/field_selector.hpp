// FieldSelector: which values fields must have. The language of `kubectl get --field-selector` and `?fieldSelector=`.
//
//   const auto selector = FieldSelector::parse("spec.nodeName=node-1,status.phase!=Running");
//   selector.matches([&](std::string_view field) { return value_of(pod, field); });   // anything string-like
//   selector.to_string();
//
// In a value, `\`, `,` and `=` are written with a backslash before them. Which fields can be chosen by is up to the
// kind; here every name goes.
//
// Errors are InputErrors with the words of Kubernetes' own parser. Thread-safety: a value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flyball::kube {

struct FieldRequirement {
  std::string field;
  std::string value;
  bool negated = false;  // != instead of =
  friend bool operator==(const FieldRequirement&, const FieldRequirement&) = default;
};

class FieldSelector {
 public:
  FieldSelector() = default;  // everything
  static FieldSelector parse(std::string_view text);

  FieldSelector& require(std::string field, std::string value, bool negated = false);

  // `lookup(field)` gives the field's value as text, "" when it is not set.
  template <class Lookup>
  bool matches(Lookup&& lookup) const {
    for (const FieldRequirement& requirement : requirements_) {
      if ((lookup(std::string_view(requirement.field)) == requirement.value) == requirement.negated) return false;
    }
    return true;
  }

  bool is_everything() const { return requirements_.empty(); }
  const std::vector<FieldRequirement>& requirements() const { return requirements_; }
  // The one value that field must have, if the selector asks for one.
  std::optional<std::string> exact_match(std::string_view field) const;

  std::string to_string() const;

  friend bool operator==(const FieldSelector&, const FieldSelector&) = default;

 private:
  std::vector<FieldRequirement> requirements_;
};

// A value as it stands in a field selector: with backslashes where they are needed. And back; throws InputError.
std::string escape_field_value(std::string_view value);
std::string unescape_field_value(std::string_view text);

}  // namespace flyball::kube
