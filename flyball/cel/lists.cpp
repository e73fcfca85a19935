// Kubernetes' lists (isSorted, sum …), cel-go's (slice, sort …) and its sets and optionals.
#include <algorithm>
#include <numeric>

#include "flyball/cel/ast.hpp"
#include "flyball/cel/functions.hpp"
#include "flyball/cel/operations.hpp"

namespace flyball::cel {
namespace {

using Kind = Value::Kind;

constexpr const char* kComparable[] = {"int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"};

std::vector<Value> elements(const Value& value) {
  std::vector<Value> all;
  const List& list = value.as_list();
  all.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) all.push_back(list.at(i));
  return all;
}

Value is_sorted(Args args) {
  const std::vector<Value> all = elements(args[0]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!has_trait(all[i], Trait::comparer)) return no_such_overload();
    if (i == 0) continue;
    const Value order = compare(all[i - 1], all[i]);
    if (!order.is_error() && order.as_int() == 1) return Value::boolean(false);
  }
  return Value::boolean(true);
}

Value sum_from(Value total, Args args) {
  for (const Value& element : elements(args[0])) {
    if (!has_trait(element, Trait::adder)) return no_such_overload();
    total = add(total, element);
    if (total.is_error()) return total;
  }
  return total;
}

template <int Prefers>
Value extreme(Args args) {
  Value best;
  bool any = false;
  for (const Value& element : elements(args[0])) {
    if (!has_trait(element, Trait::comparer)) return no_such_overload();
    const Value order = any ? compare(best, element) : Value();
    if (!any || (order.is(Kind::integer) && order.as_int() == Prefers)) best = element;
    any = true;
  }
  if (!any) return Value::error(std::string(Prefers == 1 ? "min" : "max") + " called on empty list");
  return best;
}

template <bool Last>
Value index_in_list(Args args) {
  const List& list = args[0].as_list();
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::size_t i = Last ? list.size() - 1 - k : k;
    if (equal(list.at(i), args[1]).is_true()) return Value::integer(static_cast<std::int64_t>(i));
  }
  return Value::integer(-1);
}

Value slice(Args args) {
  const std::int64_t start = args[1].as_int();
  const std::int64_t end = args[2].as_int();
  const auto size = static_cast<std::int64_t>(args[0].as_list().size());
  const std::string call = "cannot slice(" + std::to_string(start) + ", " + std::to_string(end) + "), ";
  if (start < 0 || end < 0) return Value::error(call + "negative indexes not supported");
  if (start > end) return Value::error(call + "start index must be less than or equal to end index");
  if (size < end) return Value::error(call + "list is length " + std::to_string(size));
  std::vector<Value> part;
  for (std::int64_t i = start; i < end; ++i) part.push_back(args[0].as_list().at(static_cast<std::size_t>(i)));
  return Value::list(std::move(part));
}

void flatten_into(std::vector<Value>& to, const Value& list, std::int64_t depth) {
  for (const Value& element : elements(list)) {
    if (element.is(Kind::list) && depth > 0) {
      flatten_into(to, element, depth - 1);
    } else {
      to.push_back(element);
    }
  }
}

Value flatten(Args args) {
  if (!args[0].is(Kind::list) || (args.size() == 2 && !args[1].is(Kind::integer))) {
    std::string types;
    if (args.size() == 2) types = type_of(args[1])->text();
    return Value::error("no such overload: " + type_of(args[0])->text() + ".flatten(" + types + ")");
  }
  const std::int64_t depth = args.size() == 2 ? args[1].as_int() : 1;
  if (depth < 0) return Value::error("level must be non-negative");
  std::vector<Value> flat;
  flatten_into(flat, args[0], depth);
  return Value::list(std::move(flat));
}

Value sort_by_keys(const Value& list, const Value& key_list) {
  const std::vector<Value> keys = elements(key_list);
  if (keys.empty()) return list;
  if (!has_trait(keys[0], Trait::comparer)) return Value::error("list elements must be comparable");
  const bool mixed =
      keys.size() > 1 && std::ranges::any_of(keys, [&](const Value& key) { return key.kind() != keys[0].kind(); });
  if (mixed) return Value::error("list elements must have the same type");
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const Value compared = compare(keys[a], keys[b]);
    return !compared.is_error() && compared.as_int() < 0;
  });
  std::vector<Value> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) sorted.push_back(list.as_list().at(i));
  return Value::list(std::move(sorted));
}

// More costs more than any limit allows, but that would be known only after the memory is gone.
constexpr std::int64_t kLongestRange = 10'000'000;

Value range(Args args) {
  if (args[0].as_int() > kLongestRange) return Value::error("operation cancelled: actual cost limit exceeded");
  std::vector<Value> all;
  if (args[0].as_int() > 0) all.reserve(static_cast<std::size_t>(args[0].as_int()));
  for (std::int64_t i = 0; i < args[0].as_int(); ++i) all.push_back(Value::integer(i));
  return Value::list(std::move(all));
}

Value reverse(Args args) {
  std::vector<Value> all = elements(args[0]);
  std::ranges::reverse(all);
  return Value::list(std::move(all));
}

Value distinct(Args args) {
  std::vector<Value> unique;
  for (const Value& element : elements(args[0])) {
    const bool seen = std::ranges::any_of(unique, [&](const Value& other) { return equal(element, other).is_true(); });
    if (!seen) unique.push_back(element);
  }
  return Value::list(std::move(unique));
}

bool has_all(const Value& list, const Value& part) {
  return std::ranges::all_of(elements(part), [&](const Value& each) { return contains(list.as_list(), each); });
}

template <bool Last>
Value end_of_list(Args args) {
  const List& list = args[0].as_list();
  if (list.size() == 0) return Value::none();
  return Value::optional(list.at(Last ? list.size() - 1 : 0));
}

Value unwrap(Args args) {
  std::vector<Value> values;
  for (const Value& element : elements(args[0])) {
    if (!element.is(Kind::optional)) return Value::error("value " + go_text(element) + " is not optional");
    if (element.has_value()) values.push_back(element.inner());
  }
  return Value::list(std::move(values));
}

void add_comparable(Functions& to, const std::string& type) {
  to.member("isSorted", "list_" + type + "_is_sorted_bool", "list(" + type + ") -> bool", is_sorted);
  to.member("max", "list_" + type + "_max_" + type, "list(" + type + ") -> " + type, extreme<-1>);
  to.member("min", "list_" + type + "_min_" + type, "list(" + type + ") -> " + type, extreme<1>);
}

void add_sortable(Functions& to, const std::string& type) {
  const std::string name = parse_type(type)->name();
  to.member("sort", "list_" + name + "_sort", "list(" + type + ") -> list(" + type + ")", nullptr);
  to.member("@sortByAssociatedKeys", "list_" + name + "_sortByAssociatedKeys", "list(T), list(" + type + ") -> list(T)",
            nullptr);
}

}  // namespace

void add_lists(Functions& to) {
  for (const char* type : kComparable) add_comparable(to, type);
  to.member("sum", "list_int_sum_int", "list(int) -> int", [](Args args) { return sum_from(Value::integer(0), args); });
  to.member("sum", "list_uint_sum_uint", "list(uint) -> uint",
            [](Args args) { return sum_from(Value::unsigned_integer(0), args); });
  to.member("sum", "list_double_sum_double", "list(double) -> double",
            [](Args args) { return sum_from(Value::real(0), args); });
  to.member("sum", "list_duration_sum_duration", "list(duration) -> duration",
            [](Args args) { return sum_from(Value::duration(0), args); });
  to.member("indexOf", "list_a_index_of_int", "list(A), A -> int", index_in_list<false>);
  to.member("lastIndexOf", "list_a_last_index_of_int", "list(A), A -> int", index_in_list<true>);
  to.member("slice", "list_slice", "list(T), int, int -> list(T)", slice);
  to.member("flatten", "list_flatten", "list(list(T)) -> list(T)", flatten);
  to.member("flatten", "list_flatten_int", "list(dyn), int -> list(dyn)", flatten);
  to.function("flatten").guarded = false;
  static constexpr const char* kSortable[] = {"int",      "uint",      "double", "bool",
                                              "duration", "timestamp", "string", "bytes"};
  for (const char* type : kSortable) add_sortable(to, type);
  to.function("sort").shared = [](Args args) { return sort_by_keys(args[0], args[0]); };
  to.function("sort").trait = Trait::lister;
  to.function("@sortByAssociatedKeys").shared = [](Args args) { return sort_by_keys(args[0], args[1]); };
  to.function("@sortByAssociatedKeys").trait = Trait::lister;
  to.global("lists.range", "lists_range", "int -> list(int)", range);
  to.member("reverse", "list_reverse", "list(T) -> list(T)", reverse);
  to.member("distinct", "list_distinct", "list(T) -> list(T)", distinct);
}

void add_sets(Functions& to) {
  to.global("sets.contains", "list_sets_contains_list", "list(T), list(T) -> bool",
            [](Args args) { return Value::boolean(has_all(args[0], args[1])); });
  to.global("sets.equivalent", "list_sets_equivalent_list", "list(T), list(T) -> bool",
            [](Args args) { return Value::boolean(has_all(args[0], args[1]) && has_all(args[1], args[0])); });
  to.global("sets.intersects", "list_sets_intersects_list", "list(T), list(T) -> bool", [](Args args) {
    return Value::boolean(
        std::ranges::any_of(elements(args[0]), [&](const Value& each) { return contains(args[1].as_list(), each); }));
  });
}

void add_optionals(Functions& to) {
  to.global("optional.of", "optional_of", "V -> optional(V)", [](Args args) { return Value::optional(args[0]); });
  to.global("optional.ofNonZeroValue", "optional_ofNonZeroValue", "V -> optional(V)",
            [](Args args) { return is_zero(args[0]) ? Value::none() : Value::optional(args[0]); });
  to.global("optional.none", "optional_none", " -> optional(V)", [](Args) { return Value::none(); });
  to.member("value", "optional_value", "optional(V) -> V", [](Args args) {
    return args[0].has_value() ? args[0].inner() : Value::error("optional.none() dereference");
  });
  to.member("hasValue", "optional_hasValue", "optional(V) -> bool",
            [](Args args) { return Value::boolean(args[0].has_value()); });
  to.member("or", "optional_or_optional", "optional(V), optional(V) -> optional(V)", nullptr);
  to.member("orValue", "optional_orValue_value", "optional(V), V -> V", nullptr);
  to.global(operators::kOptIndex, "list_optindex_optional_int", "list(V), int -> optional(V)", nullptr);
  to.global(operators::kOptIndex, "optional_list_optindex_optional_int", "optional(list(V)), int -> optional(V)",
            nullptr);
  to.global(operators::kOptIndex, "map_optindex_optional_value", "map(K, V), K -> optional(V)", nullptr);
  to.global(operators::kOptIndex, "optional_map_optindex_optional_value", "optional(map(K, V)), K -> optional(V)",
            nullptr);
  to.global(operators::kIndex, "optional_list_index_int", "optional(list(V)), int -> optional(V)", nullptr);
  to.global(operators::kIndex, "optional_map_index_value", "optional(map(K, V)), K -> optional(V)", nullptr);
  to.member("last", "list_last", "list(V) -> optional(V)", end_of_list<true>);
  to.member("first", "list_first", "list(V) -> optional(V)", end_of_list<false>);
  to.global("optional.unwrap", "optional_unwrap", "list(optional(V)) -> list(V)", unwrap);
  to.member("unwrapOpt", "optional_unwrapOpt", "list(optional(V)) -> list(V)", unwrap);
}

}  // namespace flyball::cel
