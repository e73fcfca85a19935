// Functions: what expressions may call, and how the checker and the evaluator find it.
//
//   Functions functions;
//   functions.member("double", "string_double", "string -> string", [](Args args) { return add(args[0], args[0]); });
//
// A function has overloads, each with an id (cost rules and cel-go's own tables name them), a signature and, mostly, an
// implementation. Arguments are checked against the signature before the call, so an implementation sees the kinds it
// asked for; errors do not reach it.
//
// Thread-safety: immutable after it is filled.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/cel/value.hpp"

namespace flyball::cel {

using Args = std::span<const Value>;
using Implementation = Value (*)(Args);

// What the first argument of an operator must be able to do.
enum class Trait : std::uint8_t {
  none,
  adder,
  comparer,
  divider,
  lister,
  matcher,
  modder,
  multiplier,
  negator,
  sizer,
  subtractor
};
bool has_trait(const Value& value, Trait trait);

struct Overload {
  std::string id = {};
  bool member = false;
  std::vector<TypeRef> args = {};
  TypeRef result = nullptr;
  Implementation implementation = nullptr;
  // Arguments behind one that fails are not looked at, as with three of them or more.
  bool stops_at_error = false;
};

struct Function {
  std::string name = {};
  std::vector<Overload> overloads = {};
  Implementation shared = nullptr;  // one for all overloads; the trait stands in for the signatures
  Trait trait = Trait::none;
  bool guarded = true;  // arguments are checked against the signature at run time
  bool takes_errors = false;
};

class Functions {
 public:
  // Signatures are written "string, int -> string"; of a member the first argument is the receiver.
  void global(std::string_view name, std::string_view id, std::string_view signature, Implementation implementation);
  void member(std::string_view name, std::string_view id, std::string_view signature, Implementation implementation);
  Function& function(std::string_view name);
  const Function* find(std::string_view name) const;

 private:
  void add(std::string_view name, std::string_view id, std::string_view signature, Implementation implementation,
           bool member);
  std::map<std::string, Function, std::less<>> functions_;
};

// Whether a value may stand where the signature has that type. Of lists and maps only the first element is looked at.
bool fits(const Type& type, const Value& value);

// Everything Kubernetes v1.36 offers, but for the authorizer.
const Functions& kubernetes_functions();

// The libraries it is made of.
void add_standard(Functions& to);
void add_time(Functions& to);
void add_strings(Functions& to);
void add_string_format(Functions& to);
void add_lists(Functions& to);
void add_sets(Functions& to);
void add_optionals(Functions& to);
void add_regex(Functions& to);
void add_urls(Functions& to);
void add_addresses(Functions& to);
void add_quantities(Functions& to);
void add_formats(Functions& to);
void add_versions(Functions& to);

}  // namespace flyball::cel
