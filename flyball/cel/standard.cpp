// Operators, conversions, size, matches and the tests on strings: the functions every CEL has.
#include "flyball/base/regex.hpp"
#include "flyball/cel/ast.hpp"
#include "flyball/cel/functions.hpp"
#include "flyball/cel/operations.hpp"

namespace flyball::cel {
namespace {

using Kind = Value::Kind;

struct Row {
  const char* name;
  const char* id;
  const char* signature;
};

void share(Functions& to, const char* name, Implementation shared, Trait trait) {
  to.function(name).shared = shared;
  to.function(name).trait = trait;
}

void add_rows(Functions& to, std::initializer_list<Row> rows) {
  for (const Row& row : rows) to.global(row.name, row.id, row.signature, nullptr);
}

void add_arithmetic(Functions& to) {
  add_rows(to, {{"_+_", "add_bytes", "bytes, bytes -> bytes"},
                {"_+_", "add_double", "double, double -> double"},
                {"_+_", "add_duration_duration", "duration, duration -> duration"},
                {"_+_", "add_duration_timestamp", "duration, timestamp -> timestamp"},
                {"_+_", "add_timestamp_duration", "timestamp, duration -> timestamp"},
                {"_+_", "add_int64", "int, int -> int"},
                {"_+_", "add_list", "list(A), list(A) -> list(A)"},
                {"_+_", "add_string", "string, string -> string"},
                {"_+_", "add_uint64", "uint, uint -> uint"},
                {"_/_", "divide_double", "double, double -> double"},
                {"_/_", "divide_int64", "int, int -> int"},
                {"_/_", "divide_uint64", "uint, uint -> uint"},
                {"_%_", "modulo_int64", "int, int -> int"},
                {"_%_", "modulo_uint64", "uint, uint -> uint"},
                {"_*_", "multiply_double", "double, double -> double"},
                {"_*_", "multiply_int64", "int, int -> int"},
                {"_*_", "multiply_uint64", "uint, uint -> uint"},
                {"-_", "negate_double", "double -> double"},
                {"-_", "negate_int64", "int -> int"},
                {"_-_", "subtract_double", "double, double -> double"},
                {"_-_", "subtract_duration_duration", "duration, duration -> duration"},
                {"_-_", "subtract_int64", "int, int -> int"},
                {"_-_", "subtract_timestamp_duration", "timestamp, duration -> timestamp"},
                {"_-_", "subtract_timestamp_timestamp", "timestamp, timestamp -> duration"},
                {"_-_", "subtract_uint64", "uint, uint -> uint"}});
  share(to, "_+_", [](Args args) { return add(args[0], args[1]); }, Trait::adder);
  share(to, "_/_", [](Args args) { return divide(args[0], args[1]); }, Trait::divider);
  share(to, "_%_", [](Args args) { return modulo(args[0], args[1]); }, Trait::modder);
  share(to, "_*_", [](Args args) { return multiply(args[0], args[1]); }, Trait::multiplier);
  share(to, "-_", [](Args args) { return negate(args[0]); }, Trait::negator);
  share(to, "_-_", [](Args args) { return subtract(args[0], args[1]); }, Trait::subtractor);
}

void add_order(Functions& to, const char* name, const std::string& prefix, Implementation shared) {
  static constexpr const char* kKinds[][3] = {{"bool", "bool", "bool"},
                                              {"int64", "int", "int"},
                                              {"int64_double", "int", "double"},
                                              {"int64_uint64", "int", "uint"},
                                              {"uint64", "uint", "uint"},
                                              {"uint64_double", "uint", "double"},
                                              {"uint64_int64", "uint", "int"},
                                              {"double", "double", "double"},
                                              {"double_int64", "double", "int"},
                                              {"double_uint64", "double", "uint"},
                                              {"string", "string", "string"},
                                              {"bytes", "bytes", "bytes"},
                                              {"timestamp", "timestamp", "timestamp"},
                                              {"duration", "duration", "duration"}};
  for (const auto& [id, left, right] : kKinds) {
    to.global(name, prefix + "_" + id, std::string(left) + ", " + right + " -> bool", nullptr);
  }
  share(to, name, shared, Trait::comparer);
}

template <bool Less, bool Same, bool Greater>
Value ordered(Args args) {
  Value order = compare(args[0], args[1]);
  if (order.is_error()) return order;
  return Value::boolean(order.as_int() < 0 ? Less : order.as_int() == 0 ? Same : Greater);
}

void add_logic(Functions& to) {
  add_rows(to, {{operators::kConditional, "conditional", "bool, A, A -> A"},
                {operators::kAnd, "logical_and", "bool, bool -> bool"},
                {operators::kOr, "logical_or", "bool, bool -> bool"},
                {operators::kNot, "logical_not", "bool -> bool"},
                {operators::kNotStrictlyFalse, "not_strictly_false", "bool -> bool"},
                {operators::kEquals, "equals", "A, A -> bool"},
                {operators::kNotEquals, "not_equals", "A, A -> bool"},
                {operators::kIndex, "index_list", "list(A), int -> A"},
                {operators::kIndex, "index_map", "map(A, B), A -> B"},
                {operators::kIn, "in_list", "A, list(A) -> bool"},
                {operators::kIn, "in_map", "A, map(A, B) -> bool"}});
  share(
      to, operators::kNot,
      [](Args args) { return args[0].is(Kind::boolean) ? Value::boolean(!args[0].as_bool()) : no_such_overload(); },
      Trait::none);
  share(
      to, operators::kNotStrictlyFalse,
      [](Args args) { return args[0].is(Kind::boolean) ? args[0] : Value::boolean(true); }, Trait::none);
  to.function(operators::kNotStrictlyFalse).takes_errors = true;
  share(
      to, operators::kIn,
      [](Args args) {
        if (args[1].is(Kind::list)) return Value::boolean(contains(args[1].as_list(), args[0]));
        if (args[1].is(Kind::map)) return Value::boolean(args[1].as_map().find(args[0]).has_value());
        return no_such_overload();
      },
      Trait::none);
}

template <TypeRef (*To)()>
Value converted(Args args) {
  return convert(args[0], To());
}
Value unchanged(Args args) { return args[0]; }

void add_conversions(Functions& to) {
  to.global("type", "type", "A -> type(A)", nullptr);
  share(to, "type", converted<type_type>, Trait::none);
  to.global("dyn", "to_dyn", "A -> dyn", nullptr);
  share(to, "dyn", unchanged, Trait::none);
  to.global("bool", "bool_to_bool", "bool -> bool", unchanged);
  to.global("bool", "string_to_bool", "string -> bool", converted<bool_type>);
  to.global("bytes", "bytes_to_bytes", "bytes -> bytes", unchanged);
  to.global("bytes", "string_to_bytes", "string -> bytes", converted<bytes_type>);
  to.global("double", "double_to_double", "double -> double", unchanged);
  to.global("double", "int64_to_double", "int -> double", converted<double_type>);
  to.global("double", "string_to_double", "string -> double", converted<double_type>);
  to.global("double", "uint64_to_double", "uint -> double", converted<double_type>);
  to.global("duration", "duration_to_duration", "duration -> duration", unchanged);
  to.global("duration", "int64_to_duration", "int -> duration", converted<duration_type>);
  to.global("duration", "string_to_duration", "string -> duration", converted<duration_type>);
  to.global("int", "int64_to_int64", "int -> int", unchanged);
  to.global("int", "double_to_int64", "double -> int", converted<int_type>);
  to.global("int", "duration_to_int64", "duration -> int", converted<int_type>);
  to.global("int", "string_to_int64", "string -> int", converted<int_type>);
  to.global("int", "timestamp_to_int64", "timestamp -> int", converted<int_type>);
  to.global("int", "uint64_to_int64", "uint -> int", converted<int_type>);
  to.global("string", "string_to_string", "string -> string", unchanged);
  to.global("string", "bool_to_string", "bool -> string", converted<string_type>);
  to.global("string", "bytes_to_string", "bytes -> string", converted<string_type>);
  to.global("string", "double_to_string", "double -> string", converted<string_type>);
  to.global("string", "duration_to_string", "duration -> string", converted<string_type>);
  to.global("string", "int64_to_string", "int -> string", converted<string_type>);
  to.global("string", "timestamp_to_string", "timestamp -> string", converted<string_type>);
  to.global("string", "uint64_to_string", "uint -> string", converted<string_type>);
  to.global("timestamp", "timestamp_to_timestamp", "timestamp -> timestamp", unchanged);
  to.global("timestamp", "int64_to_timestamp", "int -> timestamp", converted<timestamp_type>);
  to.global("timestamp", "string_to_timestamp", "string -> timestamp", converted<timestamp_type>);
  to.global("uint", "uint64_to_uint64", "uint -> uint", unchanged);
  to.global("uint", "double_to_uint64", "double -> uint", converted<uint_type>);
  to.global("uint", "int64_to_uint64", "int -> uint", converted<uint_type>);
  to.global("uint", "string_to_uint64", "string -> uint", converted<uint_type>);
}

bool has_part(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
bool has_end(std::string_view text, std::string_view part) { return text.ends_with(part); }
bool has_start(std::string_view text, std::string_view part) { return text.starts_with(part); }

template <bool (*Test)(std::string_view, std::string_view)>
Value string_test(Args args) {
  if (!args[0].is(Kind::string) || !args[1].is(Kind::string)) return no_such_overload();
  return Value::boolean(Test(args[0].text(), args[1].text()));
}

void add_strings_and_sizes(Functions& to) {
  for (const char* of : {"bytes", "list(A)", "map(A, B)", "string"}) {
    const std::string id = "size_" + std::string(of).substr(0, std::string(of).find('('));
    to.global("size", id, std::string(of) + " -> int", nullptr);
    to.member("size", std::string(of).substr(0, std::string(of).find('(')) + "_size", std::string(of) + " -> int",
              nullptr);
  }
  share(
      to, "size", [](Args args) { return Value::integer(static_cast<std::int64_t>(*size_of(args[0]))); }, Trait::sizer);
  to.member("contains", "contains_string", "string, string -> bool", string_test<has_part>);
  to.member("endsWith", "ends_with_string", "string, string -> bool", string_test<has_end>);
  to.member("startsWith", "starts_with_string", "string, string -> bool", string_test<has_start>);
  for (const char* name : {"contains", "endsWith", "startsWith"}) to.function(name).guarded = false;
  to.global("matches", "matches", "string, string -> bool", nullptr);
  to.member("matches", "matches_string", "string, string -> bool", nullptr);
  share(
      to, "matches",
      [](Args args) {
        if (!args[1].is(Kind::string)) return no_such_overload();
        try {
          return Value::boolean(Regex(args[1].text()).search(args[0].text()));
        } catch (const RegexError& error) {  // a pattern that was computed
          return Value::error(error.what());
        }
      },
      Trait::matcher);
}

}  // namespace

void add_standard(Functions& to) {
  add_logic(to);
  add_arithmetic(to);
  add_order(to, "_<_", "less", ordered<true, false, false>);
  add_order(to, "_<=_", "less_equals", ordered<true, true, false>);
  add_order(to, "_>_", "greater", ordered<false, false, true>);
  add_order(to, "_>=_", "greater_equals", ordered<false, true, true>);
  add_strings_and_sizes(to);
  add_conversions(to);
  to.global(operators::kMapInsert, "@mapInsert_map_key_value", "map(K, V), K, V -> map(K, V)",
            [](Args args) { return insert(args[0], args[1], args[2]); });
  to.global(operators::kMapInsert, "@mapInsert_map_map", "map(K, V), map(K, V) -> map(K, V)", [](Args args) {
    Value map = args[0];
    for (const Value& key : args[1].as_map().keys()) {
      map = insert(map, key, *args[1].as_map().find(key));
      if (map.is_error()) break;
    }
    return map;
  });
}

}  // namespace flyball::cel
