// Random JSON values that have much in common, for property tests of patches and diffs. For tests only.
//
//   const json::Value from = *json::alike::value();
//   const json::Value to = *json::alike::value();
//   RC_ASSERT(json::apply_patch(from, json::to_json_patch(json::diff(from, to)), …) == to);
//
// Keys and scalars come from small sets mixed with odd ones, so that two values share keys, elements and whole parts.
// For values that favour what breaks a codec: arbitrary_for_test.hpp.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/arbitrary_for_test.hpp"
#include "flyball/json/value.hpp"

namespace flyball::json::alike {

struct Options {
  int depth = 4;
  // Default: null is a scalar like any other.
  bool nulls = true;
};

inline rc::Gen<std::string> key() {
  return rc::gen::weightedOneOf<std::string>(
      {{8, rc::gen::element<std::string>("a", "b", "c", "name", "0", "1")},
       {2, rc::gen::element<std::string>("", "-", "x/y", "t~", "~1", "a.b", "é", "\"\\\n", std::string(300, 'k'))}});
}

inline rc::Gen<Value> scalar(const Options& options = {}) {
  const auto integers = rc::gen::weightedOneOf<std::int64_t>(
      {{4, rc::gen::inRange<std::int64_t>(-2, 70)},
       {1, rc::gen::element<std::int64_t>(127, 128, -129, 32768, -32769, std::int64_t{1} << 31, (1LL << 53) + 1,
                                          std::numeric_limits<std::int64_t>::max(),
                                          std::numeric_limits<std::int64_t>::min())}});
  const auto doubles = rc::gen::element(0.0, -0.0, 0.5, 1.0, -3.25, 1e21, 1e-7, 9007199254740993.0, 1.7e308);
  const auto strings = rc::gen::element<std::string>("", "a", "web", "<é&>", "line\nline", std::string(127, 's'),
                                                     std::string(128, 's'), "\xf0\x9f\x8e\x88");
  const auto of = [](auto gen) { return rc::gen::map(gen, [](const auto& x) { return Value(x); }); };
  return rc::gen::weightedOneOf<Value>({{4, of(integers)},
                                        {1, of(doubles)},
                                        {3, of(strings)},
                                        {1, of(rc::gen::element(true, false))},
                                        {1, rc::gen::just(options.nulls ? Value(nullptr) : Value(0))}});
}

inline rc::Gen<Value> value(const Options& options = {});

inline rc::Gen<Value> array(const Options& options = {}) {
  const auto elements = rc::gen::container<std::vector<Value>>(value({options.depth - 1, options.nulls}));
  return rc::gen::map(rc::gen::resize(5, elements), [](const std::vector<Value>& all) {
    Builder builder;
    builder.begin_array();
    for (const auto& element : all) builder.value(element);
    return builder.end().finish();
  });
}

// Never null, an array or a scalar: a document as Kubernetes knows them.
inline rc::Gen<Value> object(const Options& options = {}) {
  const auto members =
      rc::gen::container<std::map<std::string, Value>>(key(), value({options.depth - 1, options.nulls}));
  const auto shuffled = rc::gen::pair(rc::gen::resize(6, members), rc::gen::arbitrary<bool>());
  return rc::gen::map(shuffled, [](const std::pair<std::map<std::string, Value>, bool>& drawn) {
    const auto& [all, backwards] = drawn;
    Builder builder;
    builder.begin_object();
    if (backwards) {
      for (auto at = all.rbegin(); at != all.rend(); ++at) builder.key(at->first).value(at->second);
    } else {
      for (const auto& [name, member] : all) builder.key(name).value(member);
    }
    return builder.end().finish();
  });
}

inline rc::Gen<Value> value(const Options& options) {
  if (options.depth <= 0) return scalar(options);
  return rc::gen::weightedOneOf<Value>({{3, rc::gen::lazy([options] { return scalar(options); })},
                                        {2, rc::gen::lazy([options] { return array(options); })},
                                        {3, rc::gen::lazy([options] { return object(options); })}});
}

}  // namespace flyball::json::alike
