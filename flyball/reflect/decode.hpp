// Decoding JSON text straight into a described struct: no dynamic value in between.
//
//   MemcachedSpec spec = reflect::decode<MemcachedSpec>(text);
//   auto strict = reflect::decode<MemcachedSpec>(text, {.strict = true});     // unknown and repeated fields are errors
//
// Every mistake in the document is found, not only the first: DecodeError carries them all, each with line, column,
// field path, what was expected and what was found; an unknown field names the nearest known one.
// null leaves a field as its initialiser made it. Fields that are not in the text keep their initial value too. A
// sub-object that is in the text starts from its own type's initialisers, not from those of the struct around it: what
// `Limits limits{.cpu = 16};` says is the default of the whole.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/json/reader.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::reflect {

struct DecodeOptions {
  // Unknown and repeated fields are errors. Default: unknown fields are passed over, the last of a repeated one wins.
  bool strict = false;
  json::Limits limits = {};
};

// One or more fields are not what the struct's description says.
class DecodeError : public Error {
 public:
  explicit DecodeError(std::vector<InputError> problems);
  const std::vector<InputError>& problems() const noexcept { return problems_; }

 private:
  std::vector<InputError> problems_;
};

// Throws json::ParseError when the text is not JSON, DecodeError when it does not fit.
void decode(std::string_view text, const Type& type, void* to, const DecodeOptions& options = {});

template <class T>
T decode(std::string_view text, const DecodeOptions& options = {}) {
  T value{};
  decode(text, type_of<T>(), &value, options);
  return value;
}

// The known name nearest to a wrong one, empty when none is near.
std::string_view nearest_name(std::string_view wrong, const std::vector<std::string_view>& known);

}  // namespace flyball::reflect
