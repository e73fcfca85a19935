#include "flyball/kube/detail/equality_parts.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "flyball/json/path.hpp"

namespace flyball::kube {

namespace {

using reflect::Attribute;
using reflect::AttributeKind;
using reflect::ListType;

// Enough to see what it is.
std::string cut(std::string text) {
  constexpr std::size_t kMost = 80;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not within a character
  return text.substr(0, end) + "…";
}

detail::ListRule rule_of(std::span<const Attribute> attributes) {
  detail::ListRule rule;
  for (const Attribute& attribute : attributes) {
    if (attribute.level != 0) continue;
    if (attribute.kind == AttributeKind::unique_items) rule.type = ListType::set;
    if (attribute.kind == AttributeKind::list_type) {
      rule.type = attribute.text == "set" ? ListType::set : attribute.text == "map" ? ListType::map : ListType::atomic;
    }
    if (attribute.kind == AttributeKind::list_map_key) {
      rule.keys.assign(attribute.words.begin(), attribute.words.begin() + attribute.word_count);
    }
  }
  return rule;
}

}  // namespace

std::string Difference::to_string() const {
  const std::string where = path.empty() ? "" : path + ": ";
  if (from.empty()) return where + "added " + to;
  if (to.empty()) return where + "removed " + from;
  return where + from + " → " + to;
}

namespace detail {

ListRule list_rule(const reflect::Type& type) { return rule_of(type.own()); }

ListRule list_rule(const reflect::Type& owner, const reflect::Field& field) {
  if (field.facts != nullptr) {
    ListRule rule{.type = field.facts->list};
    for (const std::string_view key : field.facts->list_keys) rule.keys.push_back(key);
    return rule;
  }
  ListRule rule = rule_of(owner.attributes_of(field));
  return rule.type == ListType::none ? list_rule(field.type()) : rule;
}

std::string_view default_of_key(const reflect::Type& element, std::string_view key) {
  const auto field = std::ranges::find(element.fields, key, &reflect::Field::name);
  return field == element.fields.end() || field->facts == nullptr ? std::string_view() : field->facts->default_json;
}

bool Finding::differ(std::string from, std::string to) {
  difference_ = {.path = {}, .from = cut(std::move(from)), .to = cut(std::move(to))};
  return false;
}

bool Finding::inside(std::string_view member) {
  steps_.push_back({.kind = StepKind::member, .text = std::string(member)});
  return false;
}

bool Finding::inside(std::size_t index) {
  steps_.push_back({.kind = StepKind::index, .index = index});
  return false;
}

bool Finding::inside_path(std::string path) {
  if (!path.empty()) steps_.push_back({.kind = StepKind::path, .text = std::move(path)});
  return false;
}

Difference Finding::take() {
  std::string& path = difference_.path;
  for (const Step& step : std::views::reverse(steps_)) {
    switch (step.kind) {
      case StepKind::member: json::append_member(path, step.text); break;
      case StepKind::index: json::append_index(path, step.index); break;
      case StepKind::path:
        if (!path.empty() && !step.text.starts_with('[')) path += '.';
        path += step.text;
        break;
    }
  }
  return std::move(difference_);
}

}  // namespace detail
}  // namespace flyball::kube
