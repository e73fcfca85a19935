#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "flyball/apiserver/merge/forms.hpp"
#include "flyball/apiserver/merge/operations.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver::merge {

using json::Kind;
using json::View;

namespace {

// Upstream prints the value it found with Go's %v or %#v, so these texts must.
enum class Verb { plain, sharp };

std::string go_text(View value, Verb verb);

std::string go_list(View value, Verb verb) {
  const bool sharp = verb == Verb::sharp;
  std::string text = sharp ? "[]interface {}{" : "[";
  bool first = true;
  for (const View item : value.items()) {
    if (!std::exchange(first, false)) text += sharp ? ", " : " ";
    text += go_text(item, verb);
  }
  return text += sharp ? '}' : ']';
}

std::string go_map(View value, Verb verb) {
  const bool sharp = verb == Verb::sharp;
  std::vector<json::Entry> entries;
  for (const json::Entry entry : value.entries()) entries.push_back(entry);
  std::ranges::sort(entries, {}, &json::Entry::key);
  std::string text = sharp ? "map[string]interface {}{" : "map[";
  bool first = true;
  for (const auto& [key, member] : entries) {
    if (!std::exchange(first, false)) text += sharp ? ", " : " ";
    text += sharp ? kube::go::quote(key) : std::string(key);
    text += ':';
    text += go_text(member, verb);
  }
  return text += sharp ? '}' : ']';
}

std::string go_text(View value, Verb verb) {
  const bool sharp = verb == Verb::sharp;
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null: return sharp ? "interface {}(nil)" : "<nil>";
    case Kind::string: return sharp ? kube::go::quote(value.as_string()) : std::string(value.as_string());
    case Kind::array: return go_list(value, verb);
    case Kind::object: return go_map(value, verb);
    default: return json::write(value);
  }
}

// A value as upstream's wrapper of it prints.
std::string wrapped(View value) { return "&{" + go_text(value, Verb::plain) + "}"; }

std::string_view go_type(Kind kind) {
  switch (kind) {
    case Kind::boolean: return "bool";
    case Kind::string: return "string";
    case Kind::array: return "[]interface {}";
    case Kind::object: return "map[string]interface {}";
    case Kind::integer: return "int64";
    case Kind::number: return "float64";
    default: return "<nil>";
  }
}

// The way to a value: only a problem makes text of it.
struct Way {
  const Way* parent = nullptr;
  std::string_view name = {};
  const MergeType* list = nullptr;  // of the item
  View item = {};
  std::int64_t index = -1;

  std::string text() const {
    std::string start = parent == nullptr ? std::string() : parent->text();
    if (list != nullptr) return start + to_string(*item_element(*list, item).element);
    if (index >= 0) return start + "[" + std::to_string(index) + "]";
    return parent == nullptr ? start : start.append(".").append(name);
  }
};

class Validator {
 public:
  Validator(Repeated repeated, std::vector<Problem>& problems) : repeated_(repeated), problems_(problems) {}

  void value(View value, const MergeType& type, const Way& way) {
    const Forms forms = forms_of(type, value);
    if (forms.map) {
      map(value, type, way);
    } else if (forms.scalar) {
      scalar(value, type.scalar, way);
    } else if (forms.list) {
      list(value, type, way);
    } else {
      report(way, "schema error: invalid atom: inlined");
    }
  }

 private:
  void report(const Way& way, std::string message) {
    problems_.push_back({.path = way.text(), .message = std::move(message)});
  }

  void scalar(View value, ScalarForm form, const Way& way) {
    if (value.is_null()) return;
    switch (form) {
      case ScalarForm::numeric:
        if (!value.is_number())
          report(way, "expected numeric (int or float), got " + std::string(go_type(value.kind())));
        return;
      case ScalarForm::string:
        if (!value.is_string()) {
          report(way, "expected string, got &value.valueUnstructured{Value:" + go_text(value, Verb::sharp) + "}");
        }
        return;
      case ScalarForm::boolean:
        if (!value.is_bool()) report(way, "expected boolean, got " + wrapped(value));
        return;
      case ScalarForm::any:
        if (value.is_array() || value.is_object()) report(way, "expected any scalar, got " + wrapped(value));
        return;
      case ScalarForm::none: return;
    }
  }

  void list(View value, const MergeType& type, const Way& way) {
    if (value.is_null()) return;
    if (!value.is_array()) return report(way, "expected list, got " + wrapped(value));
    std::set<PathElement> seen;
    std::int64_t index = 0;
    for (const View item : value.items()) {
      if (type.list_atomic) {
        this->value(item, *type.item, {.parent = &way, .index = index++});
        continue;
      }
      if (const std::string problem = item_problem(type, item); !problem.empty()) {
        return report(way, "element " + std::to_string(index) + ": " + problem);
      }
      if (repeated_ == Repeated::refuse) note(item, type, way, seen);
      this->value(item, *type.item, {.parent = &way, .list = &type, .item = item});
      ++index;
    }
  }

  void note(View item, const MergeType& type, const Way& way, std::set<PathElement>& seen) {
    const ItemElement step = item_element(type, item);
    if (!seen.insert(*step.element).second) report(way, "duplicate entries for key " + to_string(*step.element));
  }

  void map(View value, const MergeType& type, const Way& way) {
    if (value.is_null()) return;
    if (!value.is_object()) return report(way, "expected map, got " + wrapped(value));
    for (const auto [name, member] : value.entries()) {
      const Way here{.parent = &way, .name = name};
      const MergeType* child = member_type(type, name);
      if (child == nullptr) return report(here, "field not declared in schema");
      this->value(member, *child, here);
    }
  }

  Repeated repeated_;
  std::vector<Problem>& problems_;
};

}  // namespace

std::vector<Problem> validate(View value, const MergeType& type, Repeated repeated) {
  std::vector<Problem> problems;
  Validator(repeated, problems).value(value, type, {});
  return problems;
}

std::string describe(const std::vector<Problem>& problems) {
  const auto line = [](const Problem& problem) {
    return problem.path.empty() ? problem.message : problem.path + ": " + problem.message;
  };
  if (problems.size() == 1) return line(problems.front());
  std::string text = "errors:";
  for (const Problem& problem : problems) text += "\n  " + line(problem);
  return text;
}

}  // namespace flyball::apiserver::merge
