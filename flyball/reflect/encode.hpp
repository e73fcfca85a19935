// Encoding a described struct as JSON text.
//
//   std::string body = reflect::encode(deployment);
//
// What Go's omitempty leaves out is left out: zero numbers, empty strings, lists and maps, empty optionals; and plain
// sub-objects in which nothing is set. A required field, and one whose initialiser is not zero, is always written, so
// that what is read back is what was written.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "flyball/json/text_writer.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::reflect {

void encode(const Type& type, const void* value, json::TextWriter& to);
// The same for a whole document: a top-level kind begins with its apiVersion and kind, which the items of a list lack.
void encode_document(const Type& type, const void* value, json::TextWriter& to);

template <class T>
std::string encode(const T& value, const json::WriteOptions& options = {}) {
  std::string text;
  json::TextWriter writer(text, options);
  encode_document(type_of<T>(), &value, writer);
  writer.finish();
  return text;
}

// What omitempty would leave out: the zero of its type.
bool is_empty(const Type& type, const void* value);

// Whether the field must be present: its description says so, or it is a scalar without a default of its own.
bool is_required(const Type& owner, const Field& field);

// Whether two values of one type encode to the same document.
bool equal(const Type& type, const void* a, const void* b);

}  // namespace flyball::reflect
