#include "flyball/apiserver/kinds/checks.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "flyball/kube/names.hpp"

namespace flyball::apiserver {
namespace {

namespace meta = kube::meta::v1;
namespace names = kube::names;

constexpr std::size_t kLongestReason = 1024;
constexpr std::size_t kLongestMessage = 32 * 1024;
constexpr std::int64_t kHundred = 100;

void check_requirement(const meta::LabelSelectorRequirement& requirement, const FieldPath& at, Problems& problems) {
  const std::string& how = requirement.operator_;
  if (how == "In" || how == "NotIn") {
    if (requirement.values.empty()) {
      problems.required(at.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (how == "Exists" || how == "DoesNotExist") {
    if (!requirement.values.empty()) {
      problems.forbidden(at.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else {
    problems.invalid(at.child("operator"), how, "not a valid selector operator");
  }
  problems.invalid(at.child("key"), requirement.key, names::label_key(requirement.key));
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    const std::string& value = requirement.values[i];
    problems.invalid(at.child("values").index(i), value, names::label_value(value));
  }
}

bool is_condition_reason(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !letter(text.front())) return false;
  const char last = text.back();
  if (!letter(last) && !digit(last) && last != '_') return false;
  return std::ranges::all_of(text, [&](char c) { return letter(c) || digit(c) || c == '_' || c == ',' || c == ':'; });
}

void check_condition(const meta::Condition& condition, const FieldPath& at, Problems& problems) {
  problems.invalid(at.child("type"), condition.type, names::qualified_name(condition.type));
  check_one_of(condition.status, {"False", "True", "Unknown"}, at.child("status"), problems);
  check_not_negative(condition.observedGeneration, at.child("observedGeneration"), problems);
  if (condition.lastTransitionTime == kube::Time()) {
    problems.required(at.child("lastTransitionTime"), "must be set");
  }
  if (condition.reason.empty()) {
    problems.required(at.child("reason"), "must be set");
  } else {
    if (!is_condition_reason(condition.reason)) {
      problems.invalid(at.child("reason"), condition.reason,
                       "a condition reason must start with alphabetic character, optionally followed by a string of "
                       "alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. "
                       "'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex "
                       "used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')");
    }
    if (condition.reason.size() > kLongestReason) problems.too_long(at.child("reason"), kLongestReason);
  }
  if (condition.message.size() > kLongestMessage) problems.too_long(at.child("message"), kLongestMessage);
}

}  // namespace

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text.append(part);
  return text;
}

void check_not_negative(std::int64_t value, const FieldPath& at, Problems& problems) {
  if (value < 0) problems.invalid(at, value, kNegative);
}

void check_one_of(const std::string& value, const std::vector<std::string_view>& allowed, const FieldPath& at,
                  Problems& problems) {
  if (std::ranges::find(allowed, value) == allowed.end()) problems.not_supported(at, value, allowed);
}

void check_labels(const kube::Labels& labels, const FieldPath& at, Problems& problems) {
  for (const auto& [key, value] : labels) {
    problems.invalid(at, key, names::label_key(key));
    problems.invalid(at, value, names::label_value(value));
  }
}

void check_annotations(const kube::Labels& annotations, const FieldPath& at, Problems& problems) {
  for (const auto& [key, value] : annotations) problems.invalid(at, key, names::annotation_key(key));
  if (!names::annotations_size(annotations).empty()) problems.too_long(at, names::kAnnotationsLimit);
}

void check_label_selector(const meta::LabelSelector& selector, const FieldPath& at, Problems& problems) {
  check_labels(selector.matchLabels, at.child("matchLabels"), problems);
  for (std::size_t i = 0; i < selector.matchExpressions.size(); ++i) {
    check_requirement(selector.matchExpressions[i], at.child("matchExpressions").index(i), problems);
  }
}

void check_conditions(const std::vector<meta::Condition>& conditions, const FieldPath& at, Problems& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (!seen.insert(conditions[i].type).second) {
      problems.duplicate(at.index(i).child("type"), conditions[i].type);
    }
    check_condition(conditions[i], at.index(i), problems);
  }
}

void check_domain_prefixed_path(const std::string& path, const FieldPath& at, Problems& problems) {
  if (path.empty()) {
    problems.required(at);
    return;
  }
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == path.size()) {
    problems.invalid(at, path, "must be a domain-prefixed path (such as \"acme.io/foo\")");
    return;
  }
  const std::string host = path.substr(0, slash);
  problems.invalid(at, host, names::dns1123_subdomain(host));
  const std::string rest = path.substr(slash + 1);
  const auto fine = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("/-._~%!$&'()*+,;=:").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!std::ranges::all_of(rest, fine)) {
    problems.invalid(at, rest,
                     "Invalid path (e.g. 'FOO',  or 'foo/bar', regex used for validation is "
                     "'[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
  }
}

void check_fully_qualified_name(const std::string& name, const FieldPath& at, Problems& problems) {
  if (name.empty()) {
    problems.required(at);
    return;
  }
  const names::Messages messages = names::dns1123_subdomain(name);
  if (!messages.empty()) {
    std::string all;
    for (const std::string& message : messages) all.append(all.empty() ? "" : ",").append(message);
    problems.invalid(at, name, all);
    return;
  }
  if (std::ranges::count(name, '.') < 2) {
    problems.invalid(at, name, "should be a domain with at least three segments separated by dots");
  }
}

void check_int_or_percent(const kube::IntOrString& value, const FieldPath& at, Problems& problems) {
  if (value.is_int()) {
    check_not_negative(value.as_int(), at, problems);
    return;
  }
  problems.invalid(at, value.as_string(), names::percent(value.as_string()));
}

std::int64_t int_or_percent_value(const kube::IntOrString& value) {
  if (value.is_int()) return value.as_int();
  const std::string& text = value.as_string();
  if (!names::percent(text).empty()) return 0;
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size() - 1, number);
  return number;
}

void check_at_most_100_percent(const kube::IntOrString& value, const FieldPath& at, Problems& problems) {
  if (value.is_int() || int_or_percent_value(value) <= kHundred) return;
  problems.invalid(at, value.as_string(), "must not be greater than 100%");
}

}  // namespace flyball::apiserver
