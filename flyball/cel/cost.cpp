// What calls cost when they run: cel-go's rules, those of its libraries, and Kubernetes' for its own.
#include <algorithm>
#include <array>
#include <cmath>

#include "flyball/cel/detail/format.hpp"
#include "flyball/cel/detail/plan.hpp"
#include "flyball/cel/operations.hpp"

namespace flyball::cel::detail {
namespace {

using Kind = Value::Kind;

constexpr double kTraversal = 0.1;  // of one character
constexpr double kPattern = 0.25;   // of one character of a regular expression
constexpr std::uint64_t kMakeList = 10;

std::uint64_t size(const Value& value) { return size_of(value).value_or(1); }
// As size, but looks into optionals.
std::uint64_t inner_size(const Value& value) {
  if (value.is(Kind::optional) && value.has_value()) return inner_size(value.inner());
  return size(value);
}

std::uint64_t up(double cost) { return static_cast<std::uint64_t>(std::ceil(cost)); }
std::uint64_t traverse(std::uint64_t characters) { return up(static_cast<double>(characters) * kTraversal); }
std::uint64_t match(std::uint64_t text, std::uint64_t pattern) {
  return up((1.0 + static_cast<double>(text)) * kTraversal) * up(static_cast<double>(pattern) * kPattern);
}

std::uint64_t whole_traversal(const Value& value) {
  std::uint64_t cost = 0;
  switch (value.kind()) {
    case Kind::string:
    case Kind::bytes: return static_cast<std::uint64_t>(static_cast<double>(value.text().size()) * kTraversal);
    case Kind::list:
      for (std::size_t i = 0; i < value.as_list().size(); ++i) cost += whole_traversal(value.as_list().at(i));
      return cost;
    case Kind::map:
      for (const Value& key : value.as_map().keys()) {
        cost += whole_traversal(key) + whole_traversal(*value.as_map().find(key));
      }
      return cost;
    default: return 1;
  }
}

template <std::size_t N>
bool among(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

std::uint64_t list_call(double factor, std::uint64_t size) {
  return static_cast<std::uint64_t>(static_cast<double>(size) * factor) + 1 + kMakeList;
}

std::uint64_t self_comparison(const Value& value) {
  if (!value.is(Kind::list)) return 1;
  const List& list = value.as_list();
  double factor = 2.0;
  if (list.size() == 0) return list_call(factor, 0);
  const Value first = list.at(0);
  if (first.is(Kind::string) || first.is(Kind::bytes)) factor += kTraversal;
  return list_call(factor, list.size() * list.size());
}

// The libraries of cel-go that bring their own rules, by overload.
std::optional<std::uint64_t> overload_cost(std::string_view overload, Args args, const Value& result) {
  if (overload == "list_sets_contains_list" || overload == "list_sets_intersects_list") {
    return 1 + size(args[0]) * size(args[1]);
  }
  if (overload == "list_sets_equivalent_list") return 1 + size(args[0]) * size(args[1]) * 2;
  if (overload == "list_slice" || overload == "lists_range" || overload == "list_reverse") {
    return list_call(1, size(result));
  }
  if (overload == "list_flatten") return list_call(1, size(args[0]));
  if (overload == "list_flatten_int") return list_call(static_cast<double>(args[1].as_int()), size(args[0]));
  if (overload == "list_distinct") return self_comparison(args[0]);
  if (overload.starts_with("list_") && overload.ends_with("_sort")) return self_comparison(args[0]);
  if (overload.ends_with("_sortByAssociatedKeys")) return self_comparison(args[1]);
  return std::nullopt;
}

std::optional<std::uint64_t> address_cost(std::string_view function, std::string_view overload, Args args) {
  if (function == "containsIP" || function == "containsCIDR") {
    const std::uint64_t own = size(args[0]);
    std::uint64_t cost = traverse(own + own);
    if (function == "containsCIDR") cost += traverse(own) + 1;
    if (overload == "cidr_contains_ip_string" || overload == "cidr_contains_cidr_string") {
      cost += traverse(size(args[1]));
    }
    return cost;
  }
  if (function == "ip") return overload == "cidr_ip" ? 1 : traverse(size(args[0]));
  if (function == "ip.isCanonical") return up(static_cast<double>(size(args[0])) * 2 * kTraversal);
  return std::nullopt;
}

// Kubernetes' rules, by function.
std::optional<std::uint64_t> kubernetes_cost(std::string_view function, std::string_view overload, Args args,
                                             const Value& result) {
  static constexpr std::array<std::string_view, 6> kScans = {"isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"};
  static constexpr std::array<std::string_view, 12> kReads = {"url",      "lowerAscii", "upperAscii", "substring",
                                                              "trim",     "cidr",       "isIP",       "isCIDR",
                                                              "quantity", "isQuantity", "semver",     "isSemver"};
  static constexpr std::array<std::string_view, 27> kUnits = {"masked",
                                                              "prefixLength",
                                                              "family",
                                                              "isUnspecified",
                                                              "isLoopback",
                                                              "isLinkLocalMulticast",
                                                              "sign",
                                                              "asInteger",
                                                              "isInteger",
                                                              "isLinkLocalUnicast",
                                                              "isGlobalUnicast",
                                                              "format.named",
                                                              "isLessThan",
                                                              "compareTo",
                                                              "add",
                                                              "sub",
                                                              "major",
                                                              "asApproximateFloat",
                                                              "minor",
                                                              "patch",
                                                              "isGreaterThan",
                                                              "getScheme",
                                                              "getHostname",
                                                              "getHost",
                                                              "getPort",
                                                              "getEscapedPath",
                                                              "getQuery"};
  static constexpr std::array<std::string_view, 11> kAuthorizer = {"serviceAccount", "path",      "group",  "resource",
                                                                   "subresource",    "namespace", "name",   "allowed",
                                                                   "reason",         "error",     "errored"};
  if (among(function, kScans)) return whole_traversal(args[0]);
  if (among(function, kReads)) return traverse(size(args[0]));
  if (among(function, kUnits) || among(function, kAuthorizer)) return 1;
  if (function == "replace" || function == "split") return up(static_cast<double>(size(args[0])) * 2 * kTraversal);
  if (function == "join") return up(static_cast<double>(size(result)) * 2 * kTraversal);
  if (function == "find" || function == "findAll") return match(size(args[0]), size(args[1]));
  if (function == "validate" && args[0].is(Kind::object)) {
    if (const auto* format = dynamic_cast<const NamedFormat*>(&args[0].as_object())) {
      return match(size(args[1]), format->pattern_size());
    }
  }
  if (function == "_==_" && args[0].is(Kind::object)) return 1;
  return address_cost(function, overload, args);
}

}  // namespace

std::uint64_t call_cost(std::string_view function, std::string_view overload, Args args, const Value& result) {
  if (const auto cost = overload_cost(overload, args, result)) return *cost;
  if (const auto cost = kubernetes_cost(function, overload, args, result)) return *cost;
  static constexpr std::array<std::string_view, 6> kReads = {
      "starts_with_string", "ends_with_string", "string_to_bytes", "bytes_to_string", "strings_quote", "string_format"};
  static constexpr std::array<std::string_view, 10> kCompares = {
      "less_string", "greater_string", "less_equals_string", "greater_equals_string",
      "less_bytes",  "greater_bytes",  "less_equals_bytes",  "greater_equals_bytes",
      "equals",      "not_equals"};
  if (among(overload, kReads)) return traverse(inner_size(args[0]));
  if (among(overload, kCompares)) return traverse(std::min(inner_size(args[0]), inner_size(args[1])));
  if (overload == "in_list") return inner_size(args[1]);
  if (overload == "add_string" || overload == "add_bytes") return traverse(inner_size(args[0]) + inner_size(args[1]));
  if (overload == "matches_string") return match(inner_size(args[0]), inner_size(args[1]));
  if (overload == "contains_string") return traverse(inner_size(args[0])) * traverse(inner_size(args[1]));
  return 1;
}

}  // namespace flyball::cel::detail
