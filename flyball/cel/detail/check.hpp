// The checker's answer: what type every node has and what its name or call refers to.
//
// Thread-safety: values.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "flyball/cel/ast.hpp"
#include "flyball/cel/functions.hpp"
#include "flyball/cel/source.hpp"

namespace flyball::cel::detail {

struct Reference {
  std::vector<std::string> overloads = {};  // of a call: those that may be meant
  std::string variable = {};                // of an identifier
};

// Both by the id of the node.
struct Checked {
  std::vector<TypeRef> types = {};
  std::map<std::int64_t, Reference> references = {};
};

struct CheckInput {
  const Source& source;
  const Functions& functions;
  const TypeProvider* provider;
  const std::map<std::string, TypeRef, std::less<>>& variables;
};

// Rewrites the tree: qualified names become identifiers, namespaced functions calls without a receiver.
Checked check(Ast& ast, const CheckInput& input, Issues& issues);
// What can be said of literals without evaluating: wrong durations, patterns, format strings, mixed lists.
void validate(const Ast& ast, const Checked& checked, const CheckInput& input, Issues& issues);

// The type that a name stands for, as int does; null when it is none.
TypeRef named_type(std::string_view name, const TypeProvider* provider);

}  // namespace flyball::cel::detail
