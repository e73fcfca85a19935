// Unifier: finds out what type parameters stand for, while the checker goes through an expression.
//
// Thread-safety: none; one check, one thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flyball/cel/type.hpp"

namespace flyball::cel::detail {

class Unifier {
 public:
  TypeRef fresh();
  // The signature with type parameters of its own.
  std::pair<std::vector<TypeRef>, TypeRef> instantiate(const std::vector<TypeRef>& args, const TypeRef& result);

  // Whether a value of type `from` may stand where `to` is asked for; when so, parameters are bound to make it so.
  bool assignable(const TypeRef& to, const TypeRef& from);
  bool assignable(const std::vector<TypeRef>& to, const std::vector<TypeRef>& from);

  // The type with what is known of its parameters; the unknown ones become dyn when asked for.
  TypeRef substitute(const TypeRef& type, bool unknown_to_dyn) const;

  static TypeRef most_general(const TypeRef& a, const TypeRef& b);

 private:
  bool fit(const TypeRef& a, const TypeRef& b);
  bool fit(const std::vector<TypeRef>& a, const std::vector<TypeRef>& b);
  // Valid, and whether the parameter was bound before.
  std::pair<bool, bool> bind(const TypeRef& type, const TypeRef& parameter);
  bool apart(const TypeRef& parameter, const TypeRef& within) const;
  void set(const std::string& parameter, const TypeRef& type);
  void undo(std::size_t until);

  std::map<std::string, TypeRef> bound_;
  std::vector<std::pair<std::string, TypeRef>> journal_;  // what was bound before, to go back to
  int fresh_ = 0;
};

}  // namespace flyball::cel::detail
