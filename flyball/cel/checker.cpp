#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "flyball/cel/detail/check.hpp"
#include "flyball/cel/detail/unify.hpp"

namespace flyball::cel::detail {
namespace {

std::string without_dot(const std::string& name) { return name.starts_with('.') ? name.substr(1) : name; }

class Checker {
 public:
  Checker(Ast& ast, const CheckInput& input, Issues& issues) : ast_(ast), input_(input), issues_(issues) {
    result_.types.resize(ast.offsets.size());
  }

  Checked run() {
    check(*ast_.root);
    for (TypeRef& type : result_.types) {
      if (type) type = unifier_.substitute(type, true);
    }
    return std::move(result_);
  }

 private:
  TypeRef& type(const Expr& expr) { return result_.types[static_cast<std::size_t>(expr.id)]; }
  void fail(std::int64_t id, std::string message) {
    const std::int64_t offset = ast_.offsets[static_cast<std::size_t>(id)];
    issues_.add(offset < 0 ? Location() : input_.source.location(static_cast<std::size_t>(offset)), std::move(message));
  }
  void undeclared(const Expr& expr, const std::string& name) {
    fail(expr.id, "undeclared reference to '" + name + "' (in container '')");
    type(expr) = error_type();
  }
  void mismatch(const Expr& at, const TypeRef& expected, const TypeRef& found) {
    fail(at.id, "expected type '" + expected->text() + "' but found '" + found->text() + "'");
  }

  TypeRef lookup(const std::string& name) const {
    const auto local =
        std::find_if(locals_.rbegin(), locals_.rend(), [&](const auto& each) { return each.first == name; });
    if (local != locals_.rend()) return local->second;
    const auto variable = input_.variables.find(name);
    if (variable != input_.variables.end()) return variable->second;
    const TypeRef named = named_type(name, input_.provider);
    return named ? type_type(named) : nullptr;
  }

  void check(Expr& expr) {
    switch (expr.kind) {
      case Expr::Kind::literal: type(expr) = type_of(expr.literal); break;
      case Expr::Kind::ident: check_ident(expr); break;
      case Expr::Kind::select: check_select(expr); break;
      case Expr::Kind::call: check_call(expr); break;
      case Expr::Kind::list: check_list(expr); break;
      case Expr::Kind::map: check_map(expr); break;
      case Expr::Kind::object: check_object(expr); break;
      case Expr::Kind::fold: check_fold(expr); break;
      case Expr::Kind::none: type(expr) = error_type(); break;
    }
  }

  bool refer(Expr& expr, const std::string& name) {
    const TypeRef found = lookup(name);
    if (!found) return false;
    type(expr) = found;
    result_.references[expr.id] = {.overloads = {}, .variable = name};
    expr.kind = Expr::Kind::ident;
    expr.name = name;
    return true;
  }

  void check_ident(Expr& expr) {
    if (!refer(expr, without_dot(expr.name))) undeclared(expr, expr.name);
  }

  void check_select(Expr& expr) {
    const std::string name = qualified_name(expr);
    if (!name.empty() && refer(expr, without_dot(name))) return;
    TypeRef found = check_field(expr, *expr.target, expr.name, false);
    if (expr.test_only) found = bool_type();
    type(expr) = unifier_.substitute(found, false);
  }

  TypeRef check_field(const Expr& expr, Expr& operand, const std::string& field, bool optional) {
    check(operand);
    const TypeRef operand_type = unifier_.substitute(type(operand), false);
    const bool unwrapped = operand_type->is_optional();
    const TypeRef target = unwrapped ? operand_type->parameters()[0] : operand_type;
    TypeRef found = error_type();
    switch (target->kind()) {
      case Type::Kind::map: found = target->parameters()[1]; break;
      case Type::Kind::object:
        if (const TypeRef known = field_type(expr.id, target->name(), field)) found = known;
        break;
      case Type::Kind::parameter:
        unifier_.assignable(dyn_type(), target);
        found = dyn_type();
        break;
      default:
        if (!target->is_dyn_or_error()) fail(expr.id, "type '" + target->text() + "' does not support field selection");
        found = dyn_type();
    }
    return unwrapped || optional ? optional_type(found) : found;
  }

  TypeRef field_type(std::int64_t id, const std::string& object, const std::string& field) {
    if (!input_.provider || !input_.provider->has_type(object)) {
      fail(id, "unexpected failed resolution of '" + object + "'");
      return nullptr;
    }
    TypeRef found = input_.provider->field(object, field);
    if (!found) fail(id, "undefined field '" + field + "'");
    return found;
  }

  void check_call(Expr& expr) {
    if (expr.name == operators::kOptSelect) {
      const TypeRef found = check_field(expr, *expr.args[0], expr.args[1]->literal.text(), true);
      type(expr) = unifier_.substitute(found, false);
      type(*expr.args[1]) = string_type();
      result_.references[expr.id] = {.overloads = {"select_optional_field"}, .variable = {}};
      return;
    }
    for (const ExprRef& arg : expr.args) check(*arg);
    if (!expr.target) {
      const Function* function = input_.functions.find(without_dot(expr.name));
      if (!function) return undeclared(expr, expr.name);
      expr.name = function->name;
      return resolve(expr, *function);
    }
    const std::string prefix = qualified_name(*expr.target);
    if (!prefix.empty()) {
      if (const Function* function = input_.functions.find(without_dot(prefix) + "." + expr.name)) {
        expr.name = function->name;
        expr.target = nullptr;
        return resolve(expr, *function);
      }
    }
    check(*expr.target);
    const Function* function = input_.functions.find(expr.name);
    if (!function) return undeclared(expr, expr.name);
    resolve(expr, *function);
  }

  void resolve(Expr& expr, const Function& function) {
    std::vector<TypeRef> args;
    if (expr.target) args.push_back(type(*expr.target));
    for (const ExprRef& arg : expr.args) args.push_back(type(*arg));
    if (function.name == operators::kAnd || function.name == operators::kOr) return resolve_logic(expr, function, args);
    TypeRef found;
    Reference reference;
    for (const Overload& overload : function.overloads) {
      if (overload.member != (expr.target != nullptr)) continue;
      const auto [candidates, result] = unifier_.instantiate(overload.args, overload.result);
      if (!unifier_.assignable(args, candidates)) continue;
      reference.overloads.push_back(overload.id);
      const TypeRef resulting = unifier_.substitute(result, false);
      if (!found) {
        found = resulting;
      } else if (!found->is_dyn() && !resulting->same(*found)) {
        found = dyn_type();
      }
    }
    if (!found) {
      no_overload(expr, function.name, args);
      type(expr) = error_type();
      return;
    }
    type(expr) = found;
    result_.references[expr.id] = std::move(reference);
  }

  void resolve_logic(Expr& expr, const Function& function, const std::vector<TypeRef>& args) {
    bool valid = true;
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (unifier_.assignable(args[i], bool_type())) continue;
      mismatch(*expr.args[i], bool_type(), args[i]);
      valid = false;
    }
    type(expr) = valid ? bool_type() : error_type();
    if (valid) result_.references[expr.id] = {.overloads = {function.overloads[0].id}, .variable = {}};
  }

  void no_overload(const Expr& expr, const std::string& name, const std::vector<TypeRef>& args) {
    std::string signature;
    std::size_t first = 0;
    if (expr.target) signature = unifier_.substitute(args[first++], true)->text() + ".";
    signature += "(";
    for (std::size_t i = first; i < args.size(); ++i) {
      signature += (i == first ? "" : ", ") + unifier_.substitute(args[i], true)->text();
    }
    fail(expr.id, "found no matching overload for '" + name + "' applied to '" + signature + ")'");
  }

  // The type inside of [?x]; anything but an optional or dyn is wrong there.
  TypeRef unwrap(const Expr& expr) {
    TypeRef found = type(expr);
    if (found->is_optional()) return found->parameters()[0];
    if (!found->is_dyn()) mismatch(expr, optional_type(found), found);
    return found;
  }

  // What is mixed becomes dyn here; validate() refuses it where it must not be.
  TypeRef join(const TypeRef& before, const TypeRef& now) {
    if (!before) return now;
    return unifier_.assignable(before, now) ? Unifier::most_general(before, now) : dyn_type();
  }

  void check_list(Expr& expr) {
    TypeRef elements;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      Expr& element = *expr.args[i];
      check(element);
      elements = join(elements, expr.optional[i] ? unwrap(element) : type(element));
    }
    type(expr) = list_type(elements ? elements : unifier_.fresh());
  }

  void check_map(Expr& expr) {
    TypeRef keys;
    TypeRef values;
    for (const Expr::Entry& entry : expr.entries) {
      check(*entry.key);
      keys = join(keys, type(*entry.key));
      check(*entry.value);
      values = join(values, entry.optional ? unwrap(*entry.value) : type(*entry.value));
    }
    if (!keys) {
      keys = unifier_.fresh();
      values = unifier_.fresh();
    }
    type(expr) = map_type(keys, values);
  }

  void check_object(Expr& expr) {
    const std::string name = without_dot(expr.name);
    const TypeRef found = lookup(name);
    if (!found) return undeclared(expr, expr.name);
    TypeRef made = error_type();
    if (found->kind() != Type::Kind::type) {
      fail(expr.id, "'" + found->name() + "' is not a type");
    } else if (found->parameters()[0]->kind() == Type::Kind::object) {
      made = found->parameters()[0];
    } else {
      fail(expr.id, "'" + found->parameters()[0]->name() + "' is not a message type");
    }
    type(expr) = made;
    for (const Expr::Entry& entry : expr.entries) {
      check(*entry.value);
      const TypeRef known = field_type(entry.id, name, entry.field);
      const TypeRef value = entry.optional ? unwrap(*entry.value) : type(*entry.value);
      if (!known || unifier_.assignable(known, value)) continue;
      fail(entry.id, "expected type of field '" + entry.field + "' is '" + known->text() + "' but provided type is '" +
                         value->text() + "'");
    }
  }

  void check_fold(Expr& expr) {
    Expr::Fold& fold = *expr.fold;
    check(*fold.range);
    check(*fold.init);
    const TypeRef range = unifier_.substitute(type(*fold.range), false);
    const TypeRef accumulated = type(*fold.init);
    const bool two = !fold.variable2.empty();
    TypeRef first = dyn_type();
    TypeRef second = dyn_type();
    switch (range->kind()) {
      case Type::Kind::list:
        second = range->parameters()[0];
        first = two ? int_type() : second;
        break;
      case Type::Kind::map:
        first = range->parameters()[0];
        second = range->parameters()[1];
        break;
      case Type::Kind::dyn:
      case Type::Kind::error:
      case Type::Kind::parameter: unifier_.assignable(dyn_type(), range); break;
      default:
        fail(fold.range->id, "expression of type '" + range->text() +
                                 "' cannot be range of a comprehension (must be list, map, or dynamic)");
        first = second = error_type();
    }
    const std::size_t outside = locals_.size();
    locals_.emplace_back(fold.accumulator, accumulated);
    const std::size_t inside = locals_.size();
    locals_.emplace_back(fold.variable, first);
    if (two) locals_.emplace_back(fold.variable2, second);
    check(*fold.condition);
    expect(*fold.condition, bool_type());
    check(*fold.step);
    expect(*fold.step, accumulated);
    locals_.resize(inside);
    check(*fold.result);
    locals_.resize(outside);
    type(expr) = unifier_.substitute(type(*fold.result), false);
  }

  void expect(const Expr& expr, const TypeRef& expected) {
    if (!unifier_.assignable(expected, type(expr))) mismatch(expr, expected, type(expr));
  }

  Ast& ast_;
  const CheckInput& input_;
  Issues& issues_;
  Unifier unifier_;
  Checked result_;
  std::vector<std::pair<std::string, TypeRef>> locals_;
};

}  // namespace

TypeRef named_type(std::string_view name, const TypeProvider* provider) {
  static const std::array<std::pair<std::string_view, TypeRef>, 15> known = {{
      {"bool", bool_type()},
      {"bytes", bytes_type()},
      {"double", double_type()},
      {"google.protobuf.Duration", duration_type()},
      {"google.protobuf.Timestamp", timestamp_type()},
      {"int", int_type()},
      {"list", parse_type("list(A)")},
      {"map", parse_type("map(A, B)")},
      {"net.CIDR", parse_type("net.CIDR")},
      {"net.IP", parse_type("net.IP")},
      {"null_type", null_type()},
      {"optional_type", opaque_type("optional_type")},
      {"string", string_type()},
      {"type", type_type()},
      {"uint", uint_type()},
  }};
  const auto found = std::ranges::find(known, name, &std::pair<std::string_view, TypeRef>::first);
  if (found != known.end()) return found->second;
  if (provider && provider->has_type(name)) return object_type(std::string(name));
  return nullptr;
}

Checked check(Ast& ast, const CheckInput& input, Issues& issues) { return Checker(ast, input, issues).run(); }

}  // namespace flyball::cel::detail
