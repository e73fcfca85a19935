#include "flyball/kube/selector.hpp"

#include <algorithm>

#include "flyball/base/error.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/detail/go_text.hpp"
#include "flyball/kube/names.hpp"

namespace flyball::kube {

namespace {

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty() || &part != parts.data()) text += between;
    text += part;
  }
  return text;
}

std::string invalid(const std::string& path, const std::string& shown, const std::string& detail) {
  return path + ": Invalid value: " + shown + ": " + detail;
}

// The list as Go shows it; it has no list where we have an empty one.
std::string shown_list(const std::vector<std::string>& values) {
  if (values.empty()) return "null";
  std::string text = "[";
  for (const std::string& value : values) {
    if (text.size() > 1) text += ',';
    json::write_string(value, text);
  }
  return text + "]";
}

// What is wrong with the number of values, or nothing.
std::string_view count_problem(Operator op, std::size_t count) {
  switch (op) {
    case Operator::in:
    case Operator::not_in: return count == 0 ? "for 'in', 'notin' operators, values set can't be empty" : "";
    case Operator::equals:
    case Operator::double_equals:
    case Operator::not_equals: return count != 1 ? "exact-match compatibility requires one single value" : "";
    case Operator::exists:
    case Operator::does_not_exist: return count != 0 ? "values set must be empty for exists and does not exist" : "";
    case Operator::greater_than:
    case Operator::less_than: return count != 1 ? "for 'Gt', 'Lt' operators, exactly one value is required" : "";
  }
  return "";
}

bool compares_numbers(Operator op) { return op == Operator::greater_than || op == Operator::less_than; }

std::vector<std::string> problems_of(const std::string& key, Operator op, const std::vector<std::string>& values) {
  std::vector<std::string> problems;
  if (const auto wrong = names::label_key(key); !wrong.empty()) {
    problems.push_back(invalid("key", detail::quote(key), join(wrong, "; ")));
  }
  if (const std::string_view wrong = count_problem(op, values.size()); !wrong.empty()) {
    problems.push_back(invalid("values", shown_list(values), std::string(wrong)));
  }
  const auto path = [](std::size_t i) { return "values[" + std::to_string(i) + "]"; };
  for (std::size_t i = 0; compares_numbers(op) && i < values.size(); ++i) {
    if (detail::parse_int64(values[i]).error == detail::IntError::none) continue;
    problems.push_back(
        invalid(path(i), detail::quote(values[i]), "for 'Gt', 'Lt' operators, the value must be an integer"));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const auto wrong = names::label_value(values[i]); !wrong.empty()) {
      problems.push_back(invalid(path(i) + "[" + key + "]", detail::quote(values[i]), join(wrong, "; ")));
    }
  }
  return problems;
}

std::string_view sign_of(Operator op) {
  switch (op) {
    case Operator::equals: return "=";
    case Operator::double_equals: return "==";
    case Operator::not_equals: return "!=";
    case Operator::in: return " in ";
    case Operator::not_in: return " notin ";
    case Operator::greater_than: return ">";
    case Operator::less_than: return "<";
    case Operator::exists:
    case Operator::does_not_exist: break;
  }
  return "";
}

}  // namespace

Requirement::Requirement(Unchecked, std::string key, Operator op, std::vector<std::string> values)
    : key_(std::move(key)), operator_(op), values_(std::move(values)) {}

Requirement::Requirement(std::string key, Operator op, std::vector<std::string> values)
    : Requirement(Unchecked{}, std::move(key), op, std::move(values)) {
  std::vector<std::string> problems = problems_of(key_, operator_, values_);
  if (problems.empty()) return;
  std::vector<std::string> once;
  for (std::string& problem : problems) {
    if (std::ranges::find(once, problem) == once.end()) once.push_back(std::move(problem));
  }
  throw InputError({}, "", once.size() == 1 ? once[0] : "[" + join(once, ", ") + "]");
}

Requirement Requirement::from_expression(std::string key, std::string_view operator_word,
                                         std::vector<std::string> values) {
  constexpr std::pair<std::string_view, Operator> kWords[] = {{"In", Operator::in},
                                                              {"NotIn", Operator::not_in},
                                                              {"Exists", Operator::exists},
                                                              {"DoesNotExist", Operator::does_not_exist}};
  for (const auto& [word, op] : kWords) {
    if (word == operator_word) return Requirement(std::move(key), op, std::move(values));
  }
  throw InputError({}, "", detail::quote(operator_word) + " is not a valid label selector operator");
}

bool Requirement::has(std::string_view value) const { return std::ranges::find(values_, value) != values_.end(); }

bool Requirement::matches(std::optional<std::string_view> value) const {
  switch (operator_) {
    case Operator::exists: return value.has_value();
    case Operator::does_not_exist: return !value.has_value();
    case Operator::equals:
    case Operator::double_equals:
    case Operator::in: return value && has(*value);
    case Operator::not_equals:
    case Operator::not_in: return !value || !has(*value);
    case Operator::greater_than:
    case Operator::less_than: break;
  }
  if (!value) return false;
  const detail::ParsedInt number = detail::parse_int64(*value);
  if (number.error != detail::IntError::none) return false;
  const std::int64_t bound = detail::parse_int64(values_[0]).value;
  return operator_ == Operator::greater_than ? number.value > bound : number.value < bound;
}

std::string Requirement::to_string() const {
  if (operator_ == Operator::exists) return key_;
  if (operator_ == Operator::does_not_exist) return "!" + key_;
  std::vector<std::string> sorted = values_;
  std::ranges::sort(sorted);
  const std::string values = join(sorted, ",");
  const bool set = operator_ == Operator::in || operator_ == Operator::not_in;
  return key_ + std::string(sign_of(operator_)) + (set ? "(" + values + ")" : values);
}

Selector Selector::nothing() {
  Selector selector;
  selector.nothing_ = true;
  return selector;
}

Selector Selector::from_labels(const Labels& labels) {
  Selector selector;
  for (const auto& [key, value] : labels) {
    selector.requirements_.push_back(Requirement(Requirement::Unchecked{}, key, Operator::equals, {value}));
  }
  return selector;
}

void Selector::add(Requirement requirement) {
  if (nothing_) return;
  const auto place = std::ranges::upper_bound(requirements_, requirement.key_, {}, &Requirement::key_);
  requirements_.insert(place, std::move(requirement));
}

std::optional<std::string> Selector::exact_match(std::string_view key) const {
  const auto found = std::ranges::find(requirements_, key, &Requirement::key_);
  if (found == requirements_.end() || found->values_.size() != 1) return std::nullopt;
  const Operator op = found->operator_;
  if (op != Operator::equals && op != Operator::double_equals && op != Operator::in) return std::nullopt;
  return found->values_[0];
}

std::string Selector::to_string() const {
  std::string text;
  for (const Requirement& requirement : requirements_) {
    if (!text.empty()) text += ',';
    text += requirement.to_string();
  }
  return text;
}

}  // namespace flyball::kube
