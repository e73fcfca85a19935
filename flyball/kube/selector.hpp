// Selector: which labels an object must carry. The language of `kubectl get -l`, of `?labelSelector=`, and of
// matchLabels and matchExpressions.
//
//   const auto selector = Selector::parse("app=web,tier in (cache,db),!canary,generation>5");
//   selector.matches(pod_labels);
//   selector.to_string();                                     // sorted by key, as Kubernetes prints it
//   Selector::from_labels({{"app", "web"}});                  // app=web
//   Selector::from(spec.selector.matchLabels, spec.selector.matchExpressions);
//
// A default-made selector matches everything; Selector::nothing() matches nothing, as a null LabelSelector does.
// Errors are InputErrors with the words of Kubernetes' own parser.
//
// Thread-safety: a value. See also field_selector.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/kube/labels.hpp"

namespace flyball::kube {

enum class Operator : std::uint8_t {
  exists,          // key
  does_not_exist,  // !key
  equals,          // key=value
  double_equals,   // key==value: the same, printed as it was written
  not_equals,      // key!=value: also when there is no such label
  in,              // key in (a,b)
  not_in,          // key notin (a,b): also when there is no such label
  greater_than,    // key>5: the label's value is an integer, and greater
  less_than,       // key<5
};

// One condition on one label.
class Requirement {
 public:
  // Throws InputError when the key, a value or their number does not suit the operator.
  Requirement(std::string key, Operator op, std::vector<std::string> values = {});
  // From a matchExpressions entry, whose operator is a word: In, NotIn, Exists, DoesNotExist.
  static Requirement from_expression(std::string key, std::string_view operator_word, std::vector<std::string> values);

  const std::string& key() const { return key_; }
  Operator op() const { return operator_; }
  const std::vector<std::string>& values() const { return values_; }

  // `value` is what the label `key()` has, empty when there is none.
  bool matches(std::optional<std::string_view> value) const;
  std::string to_string() const;

  friend bool operator==(const Requirement&, const Requirement&) = default;

 private:
  friend class Selector;
  struct Unchecked {};
  Requirement(Unchecked, std::string key, Operator op, std::vector<std::string> values);
  bool has(std::string_view value) const;

  std::string key_;
  Operator operator_;
  std::vector<std::string> values_;
};

class Selector {
 public:
  Selector() = default;  // everything
  static Selector nothing();
  static Selector parse(std::string_view text);
  // Every label with its value. Not checked: what is no label can match none.
  static Selector from_labels(const Labels& labels);
  // The two halves of a LabelSelector. An expression is anything with `key`, `operator_` and `values`.
  template <class Expressions>
  static Selector from(const Labels& match_labels, const Expressions& match_expressions);

  void add(Requirement requirement);

  bool matches(const Labels& labels) const {
    return matches_with([&](const std::string& key) -> std::optional<std::string_view> {
      const auto found = labels.find(key);
      if (found == labels.end()) return std::nullopt;
      return found->second;
    });
  }
  // For labels that are not in a map: `lookup(key)` gives std::optional<std::string_view>.
  template <class Lookup>
  bool matches_with(Lookup&& lookup) const {
    for (const Requirement& requirement : requirements_) {
      if (!requirement.matches(lookup(requirement.key()))) return false;
    }
    return !nothing_;
  }

  // True when everything matches; false does not mean that something is left out.
  bool is_everything() const { return !nothing_ && requirements_.empty(); }
  bool is_nothing() const { return nothing_; }
  // In the order of their keys.
  const std::vector<Requirement>& requirements() const { return requirements_; }
  // The one value that label must have, if the selector asks for one: what an index can answer.
  std::optional<std::string> exact_match(std::string_view key) const;

  // Parses back to an equal selector, except for nothing(), which prints as "".
  std::string to_string() const;

  friend bool operator==(const Selector&, const Selector&) = default;

 private:
  std::vector<Requirement> requirements_;
  bool nothing_ = false;
};

template <class Expressions>
Selector Selector::from(const Labels& match_labels, const Expressions& match_expressions) {
  Selector selector;
  for (const auto& [key, value] : match_labels) {
    selector.add(Requirement(key, Operator::equals, {value}));
  }
  for (const auto& expression : match_expressions) {
    selector.add(
        Requirement::from_expression(expression.key, std::string_view(expression.operator_), expression.values));
  }
  return selector;
}

}  // namespace flyball::kube
