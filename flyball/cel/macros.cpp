#include <algorithm>
#include <array>

#include "flyball/cel/detail/parser.hpp"

namespace flyball::cel {

std::string qualified_name(const Expr& expr) {
  if (expr.kind == Expr::Kind::ident) return expr.name;
  if (expr.kind != Expr::Kind::select || expr.test_only) return "";
  const std::string prefix = qualified_name(*expr.target);
  return prefix.empty() ? "" : prefix + "." + expr.name;
}

namespace detail {
namespace {

constexpr const char* kAccumulator = "@result";

std::vector<ExprRef> several(ExprRef a, ExprRef b = nullptr, ExprRef c = nullptr) {
  std::vector<ExprRef> all;
  for (ExprRef* each : {&a, &b, &c}) {
    if (*each) all.push_back(std::move(*each));
  }
  return all;
}

// One expansion: every node it makes stands where the call stands.
class Macro {
 public:
  Macro(Nodes& nodes, std::int64_t id) : nodes_(nodes), offset_(nodes.offset(id)) {}

  std::int64_t id() { return nodes_.id(offset_); }
  ExprRef literal(Value value) { return Nodes::literal(id(), std::move(value)); }
  ExprRef ident(std::string name) { return Nodes::ident(id(), std::move(name)); }
  ExprRef accumulator() { return ident(kAccumulator); }
  ExprRef list(ExprRef element = nullptr) {
    return Nodes::list(id(), element ? several(std::move(element)) : std::vector<ExprRef>());
  }
  ExprRef map() {
    auto made = std::make_unique<Expr>();
    made->kind = Expr::Kind::map;
    made->id = id();
    return made;
  }
  ExprRef call(const char* function, ExprRef a, ExprRef b = nullptr, ExprRef c = nullptr) {
    return Nodes::call(id(), function, several(std::move(a), std::move(b), std::move(c)));
  }
  ExprRef member_call(const char* function, ExprRef target, ExprRef argument = nullptr) {
    return Nodes::call(id(), function, argument ? several(std::move(argument)) : std::vector<ExprRef>(),
                       std::move(target));
  }
  ExprRef fold(Expr::Fold fold) {
    auto made = std::make_unique<Expr>();
    made->kind = Expr::Kind::fold;
    made->id = id();
    made->fold = std::make_unique<Expr::Fold>(std::move(fold));
    return made;
  }
  // let `name` = value in body
  ExprRef bind(const std::string& name, ExprRef value, ExprRef body) {
    return fold({.variable = "#unused",
                 .variable2 = {},
                 .accumulator = name,
                 .range = list(),
                 .init = std::move(value),
                 .condition = literal(Value::boolean(false)),
                 .step = ident(name),
                 .result = std::move(body)});
  }  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the fold owns them
  // The step, only where the filter holds.
  ExprRef filtered(ExprRef filter, ExprRef step) {
    if (!filter) return step;
    return call(operators::kConditional, std::move(filter), std::move(step), accumulator());
  }

  ExprRef copy(const Expr& expr) {
    auto made = std::make_unique<Expr>();
    made->kind = expr.kind;
    made->id = nodes_.id(nodes_.offset(expr.id));
    made->literal = expr.literal;
    made->name = expr.name;
    made->test_only = expr.test_only;
    if (expr.target) made->target = copy(*expr.target);
    for (const ExprRef& arg : expr.args) made->args.push_back(copy(*arg));
    made->optional = expr.optional;
    for (const Expr::Entry& entry : expr.entries) {
      made->entries.push_back({.id = id(),
                               .key = entry.key ? copy(*entry.key) : nullptr,
                               .field = entry.field,
                               .value = copy(*entry.value),
                               .optional = entry.optional});
    }
    if (!expr.fold) return made;
    const Expr::Fold& from = *expr.fold;
    made->fold = std::make_unique<Expr::Fold>(Expr::Fold{.variable = from.variable,
                                                         .variable2 = from.variable2,
                                                         .accumulator = from.accumulator,
                                                         .range = copy(*from.range),
                                                         .init = copy(*from.init),
                                                         .condition = copy(*from.condition),
                                                         .step = copy(*from.step),
                                                         .result = copy(*from.result)});
    return made;
  }

  ExprRef fail(const Expr& at, const char* message) {
    nodes_.fail(at.id, message);
    return ident("!");
  }

 private:
  Nodes& nodes_;
  std::int64_t offset_;
};

enum class Quantifier : char { all, exists, exists_one };

ExprRef quantifier(Macro& macro, Quantifier kind, std::string variable, std::string variable2, ExprRef range,
                   ExprRef test) {
  Expr::Fold fold{.variable = std::move(variable),
                  .variable2 = std::move(variable2),
                  .accumulator = kAccumulator,
                  .range = std::move(range)};
  switch (kind) {
    case Quantifier::all:
      fold.init = macro.literal(Value::boolean(true));
      fold.condition = macro.call(operators::kNotStrictlyFalse, macro.accumulator());
      fold.step = macro.call(operators::kAnd, macro.accumulator(), std::move(test));
      fold.result = macro.accumulator();
      break;
    case Quantifier::exists:
      fold.init = macro.literal(Value::boolean(false));
      fold.condition = macro.call(operators::kNotStrictlyFalse, macro.call(operators::kNot, macro.accumulator()));
      fold.step = macro.call(operators::kOr, macro.accumulator(), std::move(test));
      fold.result = macro.accumulator();
      break;
    case Quantifier::exists_one:
      fold.init = macro.literal(Value::integer(0));
      fold.condition = macro.literal(Value::boolean(true));
      fold.step = macro.filtered(std::move(test),
                                 macro.call(operators::kAdd, macro.accumulator(), macro.literal(Value::integer(1))));
      fold.result = macro.call(operators::kEquals, macro.accumulator(), macro.literal(Value::integer(1)));
      break;
  }
  return macro.fold(std::move(fold));
}

// init: [] or {}; step: what is added where the filter holds.
ExprRef gather(Macro& macro, std::vector<std::string> variables, ExprRef range, ExprRef init, ExprRef filter,
               ExprRef step) {
  variables.resize(2);
  return macro.fold({.variable = std::move(variables[0]),
                     .variable2 = std::move(variables[1]),
                     .accumulator = kAccumulator,
                     .range = std::move(range),
                     .init = std::move(init),
                     .condition = macro.literal(Value::boolean(true)),
                     .step = macro.filtered(std::move(filter), std::move(step)),
                     .result = macro.accumulator()});
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the fold owns them

struct MacroCall {
  Macro& macro;
  ExprRef& target;
  std::vector<ExprRef>& args;

  bool is_name(std::size_t index) const { return args[index]->kind == Expr::Kind::ident; }
  bool overwrites(std::size_t index) const {
    return args[index]->name == kAccumulator || args[index]->name == "__result__";
  }
};

ExprRef one_variable(const MacroCall& call, const std::string& function) {
  Macro& macro = call.macro;
  const bool gathers = function == "map" || function == "filter";
  if (!call.is_name(0)) {
    return macro.fail(*call.args[0], gathers ? "argument is not an identifier" : "argument must be a simple name");
  }
  if (call.overwrites(0)) return macro.fail(*call.args[0], "iteration variable overwrites accumulator variable");
  const std::string variable = call.args[0]->name;
  if (!gathers) {
    const Quantifier kind = function == "all"      ? Quantifier::all
                            : function == "exists" ? Quantifier::exists
                                                   : Quantifier::exists_one;
    return quantifier(macro, kind, variable, "", std::move(call.target), std::move(call.args[1]));
  }
  ExprRef init = macro.list();
  if (function == "filter") {
    ExprRef step = macro.call(operators::kAdd, macro.accumulator(), macro.list(std::move(call.args[0])));
    return gather(macro, {variable}, std::move(call.target), std::move(init), std::move(call.args[1]), std::move(step));
  }
  ExprRef filter = call.args.size() == 3 ? std::move(call.args[1]) : nullptr;
  ExprRef step = macro.call(operators::kAdd, macro.accumulator(), macro.list(std::move(call.args.back())));
  return gather(macro, {variable}, std::move(call.target), std::move(init), std::move(filter), std::move(step));
}

ExprRef two_variables(const MacroCall& call, const std::string& function) {
  Macro& macro = call.macro;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    if (!call.is_name(i)) return macro.fail(*call.args[i], "argument must be a simple name");
  }
  const std::string variable = call.args[0]->name;
  const std::string variable2 = call.args[1]->name;
  if (variable == variable2) return macro.fail(*call.args[1], ("duplicate variable name: " + variable).c_str());
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    if (call.overwrites(i)) return macro.fail(*call.args[i], "iteration variable overwrites accumulator variable");
  }
  if (!function.starts_with("transform")) {
    const Quantifier kind = function == "all"      ? Quantifier::all
                            : function == "exists" ? Quantifier::exists
                                                   : Quantifier::exists_one;
    return quantifier(macro, kind, variable, variable2, std::move(call.target), std::move(call.args[2]));
  }
  ExprRef filter = call.args.size() == 4 ? std::move(call.args[2]) : nullptr;
  ExprRef value = std::move(call.args.back());
  ExprRef init = function == "transformList" ? macro.list() : macro.map();
  ExprRef step;
  if (function == "transformList") {
    step = macro.call(operators::kAdd, macro.accumulator(), macro.list(std::move(value)));
  } else if (function == "transformMap") {
    step = macro.call(operators::kMapInsert, macro.accumulator(), macro.ident(variable), std::move(value));
  } else {
    step = macro.call(operators::kMapInsert, macro.accumulator(), std::move(value));
  }
  return gather(macro, {variable, variable2}, std::move(call.target), std::move(init), std::move(filter),
                std::move(step));
}

// target.optMap(v, f): target.hasValue() ? optional.of(let v = target.value() in f) : optional.none()
ExprRef optional_map(const MacroCall& call, bool flat) {
  Macro& macro = call.macro;
  if (!call.is_name(0)) {
    return macro.fail(*call.args[0], flat ? "optFlatMap() variable name must be a simple identifier"
                                          : "optMap() variable name must be a simple identifier");
  }
  ExprRef value = macro.member_call("value", macro.copy(*call.target));
  ExprRef mapped = macro.bind(call.args[0]->name, std::move(value), std::move(call.args[1]));
  if (!flat) mapped = macro.call("optional.of", std::move(mapped));
  ExprRef none = Nodes::call(macro.id(), "optional.none", {});
  return macro.call(operators::kConditional, macro.member_call("hasValue", std::move(call.target)), std::move(mapped),
                    std::move(none));
}

ExprRef sort_by(const MacroCall& call) {
  Macro& macro = call.macro;
  constexpr const char* kInput = "@__sortBy_input__";
  const Expr::Kind kind = call.target->kind;
  if (kind == Expr::Kind::literal || kind == Expr::Kind::map || kind == Expr::Kind::object) {
    return macro.fail(*call.target,
                      "sortBy can only be applied to a list, identifier, comprehension, call or select expression");
  }
  if (!call.is_name(0)) return macro.fail(*call.args[0], "argument is not an identifier");
  if (call.overwrites(0)) return macro.fail(*call.args[0], "iteration variable overwrites accumulator variable");
  ExprRef range = macro.ident(kInput);
  ExprRef step = macro.call(operators::kAdd, macro.accumulator(), macro.list(std::move(call.args[1])));
  ExprRef keys = gather(macro, {call.args[0]->name}, std::move(range), macro.list(), nullptr, std::move(step));
  ExprRef sorted = macro.member_call("@sortByAssociatedKeys", macro.ident(kInput), std::move(keys));
  return macro.bind(kInput, std::move(call.target), std::move(sorted));
}

template <std::size_t N>
bool among(const std::string& name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

void Nodes::fail(std::int64_t id, std::string message) {
  issues_.add(source_.location(static_cast<std::size_t>(offset(id))), std::move(message));
}

ExprRef Nodes::literal(std::int64_t id, Value value) {
  auto made = std::make_unique<Expr>();
  made->kind = Expr::Kind::literal;
  made->id = id;
  made->literal = std::move(value);
  return made;
}
ExprRef Nodes::ident(std::int64_t id, std::string name) {
  auto made = std::make_unique<Expr>();
  made->kind = Expr::Kind::ident;
  made->id = id;
  made->name = std::move(name);
  return made;
}
ExprRef Nodes::select(std::int64_t id, ExprRef operand, std::string field, bool test_only) {
  auto made = ident(id, std::move(field));
  made->kind = Expr::Kind::select;
  made->target = std::move(operand);
  made->test_only = test_only;
  return made;
}
ExprRef Nodes::call(std::int64_t id, std::string function, std::vector<ExprRef> args, ExprRef target) {
  auto made = ident(id, std::move(function));
  made->kind = Expr::Kind::call;
  made->args = std::move(args);
  made->target = std::move(target);
  return made;
}
ExprRef Nodes::list(std::int64_t id, std::vector<ExprRef> elements) {
  auto made = std::make_unique<Expr>();
  made->kind = Expr::Kind::list;
  made->id = id;
  made->args = std::move(elements);
  made->optional.resize(made->args.size());
  return made;
}

ExprRef expand_macro(Nodes& nodes, std::int64_t id, const std::string& function, ExprRef& target,
                     std::vector<ExprRef>& args) {
  Macro macro(nodes, id);
  const MacroCall call{macro, target, args};
  if (!target) {
    if (function != "has" || args.size() != 1) return nullptr;
    Expr& field = *args[0];
    if (field.kind != Expr::Kind::select) return macro.fail(field, "invalid argument to has() macro");
    return Nodes::select(macro.id(), std::move(field.target), field.name, true);
  }
  static constexpr std::array<std::string_view, 4> kQuantifiers = {"all", "exists", "exists_one", "existsOne"};
  static constexpr std::array<std::string_view, 3> kTransforms = {"transformList", "transformMap", "transformMapEntry"};
  const std::size_t count = args.size();
  const bool one = (among(function, kQuantifiers) && count == 2 && function != "existsOne") ||
                   (function == "map" && (count == 2 || count == 3)) || (function == "filter" && count == 2);
  if (one) return one_variable(call, function);
  const bool two =
      (among(function, kQuantifiers) && count == 3) || (among(function, kTransforms) && (count == 3 || count == 4));
  if (two) return two_variables(call, function);
  if (function == "optMap" && count == 2) return optional_map(call, false);
  if (function == "optFlatMap" && count == 2) return optional_map(call, true);
  if (function == "sortBy" && count == 2) return sort_by(call);
  return nullptr;
}

}  // namespace detail
}  // namespace flyball::cel
