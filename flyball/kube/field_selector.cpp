#include "flyball/kube/field_selector.hpp"

#include <algorithm>

#include "flyball/base/error.hpp"
#include "flyball/kube/detail/go_text.hpp"

namespace flyball::kube {

namespace {

bool needs_escape(char c) { return c == '\\' || c == ',' || c == '='; }

[[noreturn]] void refuse(const std::string& problem) { throw InputError({}, "", problem); }

// At the commas that have no backslash before them.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  terms.push_back(text.substr(start));
  return terms;
}

std::optional<FieldRequirement> read_term(std::string_view term) {
  for (std::size_t i = 0; i < term.size(); ++i) {
    const std::string_view rest = term.substr(i);
    const bool negated = rest.starts_with("!=");
    if (!negated && rest[0] != '=') continue;
    const std::string_view value = rest.substr(negated || rest.starts_with("==") ? 2 : 1);
    return FieldRequirement{std::string(term.substr(0, i)), unescape_field_value(value), negated};
  }
  return std::nullopt;
}

}  // namespace

std::string escape_field_value(std::string_view value) {
  std::string text;
  for (char c : value) {
    if (needs_escape(c)) text += '\\';
    text += c;
  }
  return text;
}

std::string unescape_field_value(std::string_view text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
      const std::string_view rest = text.substr(i);
      if (rest.empty() || !needs_escape(rest[0])) {
        const std::size_t size = rest.empty() ? 0 : detail::character_size(rest);
        refuse("invalid field selector: invalid escape sequence: \\" + std::string(rest.substr(0, size)));
      }
    } else if (needs_escape(text[i])) {
      refuse("invalid field selector: unescaped character in value: " + std::to_string(int{text[i]}));
    }
    value += text[i];
  }
  return value;
}

FieldSelector FieldSelector::parse(std::string_view text) {
  FieldSelector selector;
  std::vector<std::string_view> terms = split(text);
  std::ranges::sort(terms);
  for (const std::string_view term : terms) {
    if (term.empty()) continue;
    auto requirement = read_term(term);
    if (!requirement) {
      refuse("invalid selector: '" + std::string(text) + "'; can't understand '" + std::string(term) + "'");
    }
    if (requirement->field.empty() && requirement->value.empty()) continue;
    selector.requirements_.push_back(*std::move(requirement));
  }
  return selector;
}

FieldSelector& FieldSelector::require(std::string field, std::string value, bool negated) {
  requirements_.push_back({std::move(field), std::move(value), negated});
  return *this;
}

std::optional<std::string> FieldSelector::exact_match(std::string_view field) const {
  for (const FieldRequirement& requirement : requirements_) {
    if (!requirement.negated && requirement.field == field) return requirement.value;
  }
  return std::nullopt;
}

std::string FieldSelector::to_string() const {
  std::string text;
  for (const FieldRequirement& requirement : requirements_) {
    if (!text.empty()) text += ',';
    text += requirement.field + (requirement.negated ? "!=" : "=") + escape_field_value(requirement.value);
  }
  return text;
}

}  // namespace flyball::kube
