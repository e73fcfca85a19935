// Decoding YAML into a described struct, for what people write: manifests, values, configuration.
//
//   auto cache = reflect::decode_yaml<Memcached>(text, {.strict = true});
//
// The rules are those of decode.hpp and of json/yaml.hpp; JSON is YAML too. Every mistake is told with its place in the
// YAML: a wrong value and an unknown field stand where their key starts, an element where it starts.
//
// An integer beyond 64 bits with sign is read as a floating-point number, as Kubernetes reads it.
//
// Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "flyball/reflect/decode.hpp"

namespace flyball::reflect {

// Throws json::ParseError when the text is not exactly one YAML document, DecodeError when it does not fit.
void decode_yaml(std::string_view text, const Type& type, void* to, const DecodeOptions& options = {});

template <class T>
T decode_yaml(std::string_view text, const DecodeOptions& options = {}) {
  T value{};
  decode_yaml(text, type_of<T>(), &value, options);
  return value;
}

}  // namespace flyball::reflect
