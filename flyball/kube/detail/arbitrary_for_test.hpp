// Random objects of any built-in type, made by walking its table.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "flyball/json/parse.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/kube/flag.hpp"
#include "flyball/kube/int_or_string.hpp"
#include "flyball/kube/quantity.hpp"
#include "flyball/kube/raw_json.hpp"
#include "flyball/kube/time.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::kube {

class Arbitrary {
 public:
  explicit Arbitrary(std::uint64_t seed) : random_(seed) {}

  void fill(const reflect::Type& type, void* to, int depth = 0) {
    using reflect::Shape;
    switch (type.shape) {
      case Shape::boolean: *static_cast<bool*>(to) = below(2) == 1; return;
      case Shape::int32: *static_cast<std::int32_t*>(to) = static_cast<std::int32_t>(random_()); return;
      case Shape::int64: *static_cast<std::int64_t*>(to) = static_cast<std::int64_t>(random_()); return;
      case Shape::float64: *static_cast<double*>(to) = static_cast<double>(below(1'000'000)) / 64 - 100; return;
      case Shape::string: *static_cast<std::string*>(to) = text(); return;
      case Shape::json: *static_cast<json::Value*>(to) = any_json(); return;
      case Shape::scalar: return scalar(type, to);
      case Shape::optional:
        if (below(depth + 2) == 0) fill(type.element(), type.ops.emplace(to), depth + 1);
        return;
      case Shape::list:
        for (std::uint64_t i = below(depth > 4 ? 1 : 3); i > 0; --i)
          fill(type.element(), type.ops.append(to), depth + 1);
        return;
      case Shape::map:
        for (std::uint64_t i = below(depth > 4 ? 1 : 3); i > 0; --i) {
          fill(type.element(), type.ops.insert(to, text()), depth + 1);
        }
        return;
      case Shape::structure: return structure(type, to, depth);
      default: throw Error("no built-in type has this shape");
    }
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::uint64_t below(int limit) { return below(static_cast<std::uint64_t>(limit)); }

  void structure(const reflect::Type& type, void* to, int depth) {
    if (type.either) return either(type, to, depth);
    for (const reflect::Field& field : type.fields) {
      // Most fields of most objects are not set.
      if (below(3) != 0) fill(field.type(), static_cast<std::byte*>(to) + field.offset, depth);
    }
  }

  // Exactly one of the two, as JSON can say no more.
  void either(const reflect::Type& type, void* to, int depth) {
    const std::size_t boxed = type.fields[0].type().shape == reflect::Shape::optional ? 0 : 1;
    const reflect::Field& field = type.fields[boxed];
    const reflect::Field& other = type.fields[1 - boxed];
    const bool is_flag = other.type().shape == reflect::Shape::boolean;
    void* at = static_cast<std::byte*>(to) + other.offset;
    if (is_flag) *static_cast<bool*>(at) = true;
    if (depth < 4 && below(2) == 0) {
      fill(field.type().element(), field.type().ops.emplace(static_cast<std::byte*>(to) + field.offset), depth + 1);
    } else if (!is_flag) {
      fill(other.type().element(), other.type().ops.append(at), depth + 1);
    }
  }

  std::string text() {
    static constexpr std::array<std::string_view, 8> kTexts = {
        "", "a", "web", "ünï", "<&>", "tab\there", "\"quoted\"", "a text that is longer than fifteen bytes"};
    return std::string(kTexts[below(kTexts.size())]) + (below(2) == 0 ? "" : std::to_string(below(100)));
  }

  json::Value any_json() {
    static constexpr std::array<std::string_view, 5> kDocuments = {"1", "\"text\"", R"({"a":[1,2.5,null]})", "[]",
                                                                   R"({"f:metadata":{"f:labels":{".":{}}}})"};
    return json::parse(kDocuments[below(kDocuments.size())]);
  }

  void scalar(const reflect::Type& type, void* to) {
    static constexpr std::array<std::string_view, 6> kQuantities = {"1", "500m", "256Mi", "1e3", "-2", "0"};
    const auto seconds = static_cast<std::int64_t>(below(std::uint64_t{250'000'000'000})) - 60'000'000'000;
    if (type.name == "Quantity") {
      *static_cast<Quantity*>(to) = Quantity(kQuantities[below(kQuantities.size())]);
    } else if (type.name == "IntOrString") {
      *static_cast<IntOrString*>(to) =
          below(2) == 0 ? IntOrString(text()) : IntOrString(static_cast<int>(below(99999)));
    } else if (type.name == "Time") {
      *static_cast<Time*>(to) = Time::from_unix(seconds);
    } else if (type.name == "MicroTime") {
      *static_cast<MicroTime*>(to) =
          MicroTime::from_unix_micros(seconds * 1'000'000 + static_cast<std::int64_t>(below(999'999)));
    } else if (type.name == "Duration") {
      *static_cast<Duration*>(to) = Duration::from_nanos(static_cast<std::int64_t>(random_()) / 4);
    } else if (type.name == "RawJson") {
      *static_cast<RawJson*>(to) = RawJson(any_json());
    } else {
      *static_cast<Bytes*>(to) = Bytes(text());
    }
  }

  std::mt19937_64 random_;
};

}  // namespace flyball::kube
