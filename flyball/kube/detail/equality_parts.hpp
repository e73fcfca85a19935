// What the comparison of structs and that of JSON share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/kube/equality.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::kube::detail {

// How server-side apply takes a list.
struct ListRule {
  reflect::ListType type = reflect::ListType::none;
  std::vector<std::string_view> keys = {};
};

ListRule list_rule(const reflect::Type& owner, const reflect::Field& field);
// Of a list type that says it by itself.
ListRule list_rule(const reflect::Type& type);

// The default that stands for a key that is not there, as JSON: a port's protocol. Empty when it has none.
std::string_view default_of_key(const reflect::Type& element, std::string_view key);

// The first difference, put together on the way out: the innermost step comes first, and equal values cost nothing.
class Finding {
 public:
  // Always false: `return finding.differ(...)`.
  bool differ(std::string from, std::string to);
  bool inside(std::string_view member);
  bool inside(std::size_t index);
  bool inside_path(std::string path);  // of several steps, or none

  // What was found, with its path.
  Difference take();

 private:
  enum class StepKind { member, index, path };
  struct Step {
    StepKind kind = StepKind::member;
    std::string text = {};
    std::size_t index = 0;
  };
  std::vector<Step> steps_;
  Difference difference_;
};

}  // namespace flyball::kube::detail
