// simdjson's on-demand front end: no document, one pass over the text in which every key, string and number is made.
// Included by two sources that differ in the kernel the compiler picks; hence the unnamed namespace.
#pragma once

#include "json/contestant.hpp"
#include <simdjson.h>

namespace bench {

namespace {

namespace ondemand = simdjson::ondemand;

#define FLYBALL_BENCH_TEXT_OF(x) #x
#define FLYBALL_BENCH_TEXT(x) FLYBALL_BENCH_TEXT_OF(x)
// The kernel the compiler's flags allow for strings and numbers. The first pass over the text, in simdjson's library,
// picks the best one for the CPU when it runs.
const std::string kKernel = FLYBALL_BENCH_TEXT(SIMDJSON_BUILTIN_IMPLEMENTATION);

// Touches everything at the price of one addition each.
std::uint64_t walk(ondemand::value value) {
  switch (value.type()) {
    case ondemand::json_type::object: {
      std::uint64_t sum = 0;
      for (auto field : value.get_object()) {
        const std::string_view key = field.unescaped_key();
        sum += key.size() + walk(field.value());
      }
      return sum;
    }
    case ondemand::json_type::array: {
      std::uint64_t sum = 0;
      for (auto element : value.get_array()) sum += walk(element.value());
      return sum;
    }
    case ondemand::json_type::string: return std::string_view(value.get_string()).size();
    case ondemand::json_type::number: {
      const ondemand::number number = value.get_number();
      return number.is_int64() ? static_cast<std::uint64_t>(number.get_int64())
                               : static_cast<std::uint64_t>(number.as_double());
    }
    case ondemand::json_type::boolean: return bool(value.get_bool()) ? 1 : 0;
    default: return value.is_null() ? 1 : 0;
  }
}

[[maybe_unused]] std::uint64_t digest(ondemand::value value) {
  switch (value.type()) {
    case ondemand::json_type::object: {
      std::uint64_t sum = 7;
      for (auto field : value.get_object()) {
        const std::uint64_t key = digest_of(std::string_view(field.unescaped_key()));
        sum += mix(key, digest(field.value()));
      }
      return sum;
    }
    case ondemand::json_type::array: {
      std::uint64_t sum = 6;
      for (auto element : value.get_array()) sum = mix(sum, digest(element.value()));
      return sum;
    }
    case ondemand::json_type::string: return digest_of(std::string_view(value.get_string()));
    case ondemand::json_type::number: {
      const ondemand::number number = value.get_number();
      return number.is_int64() ? digest_of(number.get_int64()) : digest_of(number.as_double());
    }
    case ondemand::json_type::boolean: return digest_of(bool(value.get_bool()));
    default: return digest_of(nullptr);
  }
}

[[maybe_unused]] std::uint64_t on_demand_digest(const std::string& text) {
  ondemand::parser parser;
  const simdjson::padded_string padded(text);
  ondemand::document document = parser.iterate(padded);
  return digest(document.get_value());
}

Contestant on_demand(std::string name, const std::string& text) {
  auto parser = std::make_shared<ondemand::parser>();
  auto padded = std::make_shared<simdjson::padded_string>(text);
  return {.name = std::move(name),
          .parse = [] { return std::unique_ptr<Document>(); },
          .parse_once =
              [parser, padded] {
                ondemand::document document = parser->iterate(*padded);
                return walk(document.get_value());
              },
          .keeps = false,
          .edits = false};
}

}  // namespace
}  // namespace bench
