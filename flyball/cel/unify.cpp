#include "flyball/cel/detail/unify.hpp"

#include <algorithm>

namespace flyball::cel::detail {
namespace {

using Kind = Type::Kind;

bool less_specific(const TypeRef& a, const TypeRef& b) {
  if (a->is_dyn() || a->kind() == Kind::parameter) return true;
  if (b->is_dyn() || b->kind() == Kind::parameter || a->kind() != b->kind()) return false;
  switch (a->kind()) {
    case Kind::opaque:
    case Kind::list:
    case Kind::map:
      return a->name() == b->name() && a->parameters().size() == b->parameters().size() &&
             std::ranges::equal(a->parameters(), b->parameters(), less_specific);
    case Kind::type: return true;
    default: return a->same(*b);
  }
}

bool takes_null(const Type& type) {
  switch (type.kind()) {
    case Kind::opaque:
    case Kind::object:
    case Kind::duration:
    case Kind::timestamp:
    case Kind::null: return true;
    default: return false;
  }
}

void collect(const TypeRef& type, std::map<std::string, TypeRef>& parameters) {
  if (type->kind() == Kind::parameter) parameters[type->name()] = nullptr;
  for (const TypeRef& parameter : type->parameters()) collect(parameter, parameters);
}

template <class Find>
TypeRef replaced(const TypeRef& type, bool unknown_to_dyn, const Find& find) {
  if (type->kind() == Kind::parameter) {
    if (const TypeRef found = find(type->name())) return replaced(found, unknown_to_dyn, find);
    return unknown_to_dyn ? dyn_type() : type;
  }
  if (type->parameters().empty()) return type;
  std::vector<TypeRef> parameters;
  for (const TypeRef& parameter : type->parameters()) parameters.push_back(replaced(parameter, unknown_to_dyn, find));
  return std::make_shared<const Type>(type->kind(), type->name(), std::move(parameters));
}

}  // namespace

TypeRef Unifier::fresh() { return parameter_type("_var" + std::to_string(fresh_++)); }

std::pair<std::vector<TypeRef>, TypeRef> Unifier::instantiate(const std::vector<TypeRef>& args, const TypeRef& result) {
  std::map<std::string, TypeRef> parameters;
  for (const TypeRef& arg : args) collect(arg, parameters);
  collect(result, parameters);
  if (parameters.empty()) return {args, result};
  for (auto& [name, type] : parameters) type = fresh();
  // Fresh names never are keys here, so each is replaced once.
  const auto find = [&](const std::string& name) {
    const auto found = parameters.find(name);
    return found == parameters.end() ? nullptr : found->second;
  };
  std::vector<TypeRef> made;
  made.reserve(args.size());
  for (const TypeRef& arg : args) made.push_back(replaced(arg, false, find));
  return {std::move(made), replaced(result, false, find)};
}

void Unifier::set(const std::string& parameter, const TypeRef& type) {
  TypeRef& slot = bound_[parameter];
  journal_.emplace_back(parameter, slot);
  slot = type;
}

void Unifier::undo(std::size_t until) {
  while (journal_.size() > until) {
    auto& [parameter, before] = journal_.back();
    if (before) {
      bound_[parameter] = before;
    } else {
      bound_.erase(parameter);
    }
    journal_.pop_back();
  }
}

bool Unifier::assignable(const TypeRef& to, const TypeRef& from) {
  const std::size_t before = journal_.size();
  if (fit(to, from)) return true;
  undo(before);
  return false;
}

bool Unifier::assignable(const std::vector<TypeRef>& to, const std::vector<TypeRef>& from) {
  const std::size_t before = journal_.size();
  if (fit(to, from)) return true;
  undo(before);
  return false;
}

TypeRef Unifier::substitute(const TypeRef& type, bool unknown_to_dyn) const {
  return replaced(type, unknown_to_dyn, [this](const std::string& name) {
    const auto found = bound_.find(name);
    return found == bound_.end() ? nullptr : found->second;
  });
}

TypeRef Unifier::most_general(const TypeRef& a, const TypeRef& b) { return less_specific(a, b) ? a : b; }

bool Unifier::fit(const TypeRef& a, const TypeRef& b) {
  if (b->kind() == Kind::parameter) {
    const auto [valid, was_bound] = bind(a, b);
    if (valid) return true;
    if (was_bound) return false;
  }
  if (a->kind() == Kind::parameter) return bind(b, a).first;
  if (a->is_dyn_or_error() || b->is_dyn_or_error()) return true;
  if (a->kind() == Kind::null) return takes_null(*b);
  if (b->kind() == Kind::null) return takes_null(*a);
  if (a->kind() != b->kind()) return false;
  switch (a->kind()) {
    case Kind::type: return true;
    case Kind::opaque:
    case Kind::list:
    case Kind::map: return a->name() == b->name() && fit(a->parameters(), b->parameters());
    default: return a->name() == b->name();
  }
}

bool Unifier::fit(const std::vector<TypeRef>& a, const std::vector<TypeRef>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!fit(a[i], b[i])) return false;
  }
  return true;
}

std::pair<bool, bool> Unifier::bind(const TypeRef& type, const TypeRef& parameter) {
  if (type->same(*parameter)) return {true, true};
  const auto found = bound_.find(parameter->name());
  if (found != bound_.end()) {
    const TypeRef now = found->second;
    if (type->same(*now)) return {true, true};
    if (!fit(type, now)) return {false, true};
    const TypeRef general = most_general(type, now);
    if (apart(parameter, general)) set(parameter->name(), general);
    return {true, true};
  }
  if (!apart(parameter, type)) return {false, false};
  set(parameter->name(), type);
  return {true, false};
}

bool Unifier::apart(const TypeRef& parameter, const TypeRef& within) const {
  if (parameter->same(*within)) return false;
  if (within->kind() == Kind::parameter) {
    const auto found = bound_.find(within->name());
    return found == bound_.end() || apart(parameter, found->second);
  }
  return std::ranges::all_of(within->parameters(), [&](const TypeRef& each) { return apart(parameter, each); });
}

}  // namespace flyball::cel::detail
