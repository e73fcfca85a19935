#include <algorithm>

#include "flyball/base/regex.hpp"
#include "flyball/cel/detail/check.hpp"
#include "flyball/cel/detail/format_clauses.hpp"
#include "flyball/cel/operations.hpp"

namespace flyball::cel::detail {
namespace {

using Kind = Type::Kind;

class Validator {
 public:
  Validator(const Ast& ast, const Checked& checked, const CheckInput& input, Issues& issues)
      : ast_(ast), checked_(checked), input_(input), issues_(issues) {}

  void visit(const Expr& expr) {
    if (expr.kind == Expr::Kind::call) check_call(expr);
    const bool exempts = expr.is_call("format");
    if (exempts) ++exempt_;
    if (expr.kind == Expr::Kind::list && exempt_ == 0) check_list(expr);
    if (expr.kind == Expr::Kind::map && exempt_ == 0) check_map(expr);
    if (expr.target) visit(*expr.target);
    for (const ExprRef& arg : expr.args) visit(*arg);
    for (const Expr::Entry& entry : expr.entries) {
      if (entry.key) visit(*entry.key);
      visit(*entry.value);
    }
    if (expr.fold) {
      for (const ExprRef* part :
           {&expr.fold->range, &expr.fold->init, &expr.fold->condition, &expr.fold->step, &expr.fold->result}) {
        visit(**part);
      }
    }
    if (exempts) --exempt_;
  }

 private:
  const TypeRef& type(const Expr& expr) const { return checked_.types[static_cast<std::size_t>(expr.id)]; }
  void fail(std::int64_t id, std::string message) {
    const std::int64_t offset = ast_.offsets[static_cast<std::size_t>(id)];
    issues_.add(input_.source.location(static_cast<std::size_t>(std::max<std::int64_t>(offset, 0))),
                std::move(message));
  }
  void mismatch(const Expr& at, const TypeRef& expected, const TypeRef& found) {
    fail(at.id, "expected type '" + expected->text() + "' but found '" + found->text() + "'");
  }

  void check_call(const Expr& expr) {
    if (expr.name == "format") check_format(expr);
    if (expr.args.empty() || expr.args[0]->kind != Expr::Kind::literal) return;
    const Expr& arg = *expr.args[0];
    const bool wrong = (expr.name == "duration" && convert(arg.literal, duration_type()).is_error()) ||
                       (expr.name == "timestamp" && convert(arg.literal, timestamp_type()).is_error()) ||
                       (expr.name == "matches" && !is_pattern(arg.literal));
    if (wrong) fail(arg.id, "invalid " + expr.name + " argument");
  }

  static bool is_pattern(const Value& value) {
    try {
      const Regex regex(value.text());
      return true;
    } catch (const RegexError&) {  // the checker has its own words
      return false;
    }
  }

  TypeRef element_type(const Expr& expr, bool optional) const {
    const TypeRef& found = type(expr);
    return optional && found->is_optional() ? found->parameters()[0] : found;
  }

  void check_list(const Expr& expr) {
    TypeRef first;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      const TypeRef found = element_type(*expr.args[i], expr.optional[i]);
      if (!first) {
        first = found;
      } else if (!first->equivalent(*found)) {
        mismatch(*expr.args[i], first, found);
        return;
      }
    }
  }

  void check_map(const Expr& expr) {
    TypeRef key;
    TypeRef value;
    for (const Expr::Entry& entry : expr.entries) {
      const TypeRef key_found = type(*entry.key);
      const TypeRef value_found = element_type(*entry.value, entry.optional);
      if (!key) {
        key = key_found;
        value = value_found;
        continue;
      }
      if (!key->equivalent(*key_found)) mismatch(*entry.key, key, key_found);
      if (!value->equivalent(*value_found)) mismatch(*entry.value, value, value_found);
    }
  }

  // The arguments of a literal format string: their number and their types.
  void check_format(const Expr& expr) {
    const bool literal = expr.target && expr.target->kind == Expr::Kind::literal &&
                         expr.target->literal.is(Value::Kind::string) && expr.args.size() == 1 &&
                         expr.args[0]->kind == Expr::Kind::list;
    if (!literal) return;
    const std::vector<ExprRef>& args = expr.args[0]->args;
    std::string problem;
    std::int64_t at = expr.id;
    std::size_t seen = 0;
    fill_format(
        expr.target->literal.text(), args.size(),
        [&](std::size_t index, const FormatClause& clause, std::string& why) {
          const Expr* wrong = wrong_argument(*args[index], clause.letter);
          if (!wrong) return std::string();
          at = wrong->id;
          why = format_mismatch(clause.letter, type(*wrong)->name());
          return std::string();
        },
        seen, problem, false);
    if (!problem.empty()) return fail(at, problem);
    if (args.size() > seen) {
      fail(expr.id, "too many arguments supplied to string.format (expected " + std::to_string(seen) + ", got " +
                        std::to_string(args.size()) + ")");
    }
  }

  // The argument, or what is in it, that the clause cannot write.
  const Expr* wrong_argument(const Expr& expr, char letter) const {
    const Kind kind = type(expr)->kind();
    if (kind == Kind::dyn) {
      return letter == 's' ? wrong_part(expr) : nullptr;
    }
    const bool integer = kind == Kind::integer || kind == Kind::unsigned_integer;
    bool right = false;
    switch (letter) {
      case 'd':
      case 'o': right = integer; break;
      case 'f':
      case 'e': right = kind == Kind::real || kind == Kind::string; break;
      case 'b': right = integer || kind == Kind::boolean; break;
      case 'x':
      case 'X': right = integer || kind == Kind::string || kind == Kind::bytes; break;
      default: right = kind != Kind::opaque && kind != Kind::object && kind != Kind::error;
    }
    if (!right) return &expr;
    return letter == 's' ? wrong_part(expr) : nullptr;
  }

  const Expr* wrong_part(const Expr& expr) const {
    if (expr.kind == Expr::Kind::list) {
      for (const ExprRef& element : expr.args) {
        if (const Expr* wrong = wrong_argument(*element, 's')) return wrong;
      }
    }
    for (const Expr::Entry& entry : expr.entries) {
      if (entry.key) {
        if (const Expr* wrong = wrong_argument(*entry.key, 's')) return wrong;
      }
      if (const Expr* wrong = wrong_argument(*entry.value, 's')) return wrong;
    }
    return nullptr;
  }

  const Ast& ast_;
  const Checked& checked_;
  const CheckInput& input_;
  Issues& issues_;
  int exempt_ = 0;
};

}  // namespace

void validate(const Ast& ast, const Checked& checked, const CheckInput& input, Issues& issues) {
  Validator(ast, checked, input, issues).visit(*ast.root);
}

}  // namespace flyball::cel::detail
