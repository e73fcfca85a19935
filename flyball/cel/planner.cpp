#include "flyball/cel/detail/planner.hpp"

#include <algorithm>
#include <array>

#include "flyball/cel/detail/steps.hpp"

namespace flyball::cel::detail {
namespace {

using Kind = Value::Kind;

const Value* constant(const StepRef& step) {
  const auto* found = dynamic_cast<const Const*>(step.get());
  return found ? &found->value : nullptr;
}

bool is_conversion(std::string_view function) {
  static constexpr std::array<std::string_view, 10> kConversions = {"bool", "bytes",  "double",    "dyn",  "duration",
                                                                    "int",  "string", "timestamp", "type", "uint"};
  return std::ranges::find(kConversions, function) != kConversions.end();
}

class Planner {
 public:
  Planner(const Checked& checked, const CheckInput& input) : checked_(checked), input_(input) {}

  Plan run(const Expr& root) {
    Plan made;
    made.root = plan(root);
    made.variables = std::move(variables_);
    return made;
  }

 private:
  int number(const std::string& variable) {
    return variables_.emplace(variable, static_cast<int>(variables_.size())).first->second;
  }
  const Reference* reference(const Expr& expr) const {
    const auto found = checked_.references.find(expr.id);
    return found == checked_.references.end() ? nullptr : &found->second;
  }
  // What does not depend on variables.
  static Value value_now(const Step& step) {
    Tracker tracker(UINT64_MAX);
    const std::vector<std::optional<Value>> none;
    return step.eval({&tracker, &none, nullptr});
  }

  StepRef plan(const Expr& expr) {
    switch (expr.kind) {
      case Expr::Kind::literal: return std::make_unique<Const>(expr.id, expr.literal);
      case Expr::Kind::ident: return plan_ident(expr);
      case Expr::Kind::select: return plan_select(expr);
      case Expr::Kind::call: return plan_call(expr);
      case Expr::Kind::list: return plan_list(expr);
      case Expr::Kind::map: return plan_map(expr);
      case Expr::Kind::object: return plan_object(expr);
      case Expr::Kind::fold: return plan_fold(expr);
      case Expr::Kind::none: break;
    }
    throw CompileError("an expression that could not be parsed was planned");
  }

  StepRef plan_ident(const Expr& expr) {
    const TypeRef& type = checked_.types[static_cast<std::size_t>(expr.id)];
    if (type->kind() == Type::Kind::type && !input_.variables.contains(expr.name)) {
      if (TypeRef named = named_type(expr.name, input_.provider)) {
        return std::make_unique<Const>(expr.id, Value::type(std::move(named)));
      }
    }
    return std::make_unique<AttributeStep>(expr.id, variable_attribute(expr.id, number(expr.name), expr.name));
  }

  static AttributeRef attribute_of(StepRef step) {
    if (const auto* attribute = dynamic_cast<const AttributeStep*>(step.get())) return attribute->attribute;
    const std::int64_t id = step->id();
    return value_attribute(id, std::move(step));
  }

  StepRef plan_select(const Expr& expr) {
    AttributeRef attribute = attribute_of(plan(*expr.target));
    Value key = Value::string(expr.name);
    attribute->add(expr.test_only ? test_qualifier(expr.id, std::move(key))
                                  : constant_qualifier(expr.id, std::move(key), false));
    return std::make_unique<AttributeStep>(expr.id, std::move(attribute), expr.test_only);
  }

  StepRef plan_index(const Expr& expr, std::vector<StepRef> args, bool optional) {
    AttributeRef attribute = attribute_of(std::move(args[0]));
    StepRef key = std::move(args[1]);
    if (const Value* value = constant(key)) {
      require_key(*value);
      attribute->add(constant_qualifier(expr.id, *value, optional));
    } else if (const auto* other = dynamic_cast<const AttributeStep*>(key.get())) {
      attribute->add(attribute_qualifier(expr.id, other->attribute, optional, false));
    } else {
      attribute->add(attribute_qualifier(expr.id, value_attribute(expr.id, std::move(key)), optional, true));
    }
    return std::make_unique<AttributeStep>(expr.id, std::move(attribute));
  }

  static void require_key(const Value& key) {
    switch (key.kind()) {
      case Kind::string:
      case Kind::integer:
      case Kind::unsigned_integer:
      case Kind::boolean:
      case Kind::real: return;
      default: throw CompileError("invalid qualifier type: " + Fold::go_type(key));
    }
  }

  StepRef plan_call(const Expr& expr) {
    std::vector<StepRef> args;
    if (expr.target) args.push_back(plan(*expr.target));
    for (const ExprRef& arg : expr.args) args.push_back(plan(*arg));
    if (expr.name == operators::kAnd || expr.name == operators::kOr) {
      return std::make_unique<Logic>(expr.id, expr.name == operators::kOr, std::move(args));
    }
    if (expr.name == operators::kConditional) {
      AttributeRef yes = attribute_of(std::move(args[1]));
      AttributeRef no = attribute_of(std::move(args[2]));
      return std::make_unique<AttributeStep>(
          expr.id, conditional_attribute(expr.id, std::move(args[0]), std::move(yes), std::move(no)));
    }
    if (expr.name == operators::kEquals || expr.name == operators::kNotEquals) {
      return std::make_unique<Equality>(expr.id, expr.name == operators::kNotEquals, std::move(args[0]),
                                        std::move(args[1]));
    }
    if (expr.name == operators::kIndex) return plan_index(expr, std::move(args), false);
    if (expr.name == operators::kOptIndex || expr.name == operators::kOptSelect) {
      return plan_index(expr, std::move(args), true);
    }
    return plan_function(expr, std::move(args));
  }

  StepRef plan_function(const Expr& expr, std::vector<StepRef> args) {
    Call::Options options;
    options.function = input_.functions.find(expr.name);
    const Reference* resolved = reference(expr);
    if (resolved && resolved->overloads.size() == 1) options.overload_id = resolved->overloads[0];
    const std::vector<Overload>& overloads = options.function->overloads;
    const auto found = std::ranges::find(overloads, options.overload_id, &Overload::id);
    if (found != overloads.end() && found->implementation) options.overload = &*found;
    if (overloads.size() == 1 && overloads[0].implementation) options.overload = overloads.data();
    options.stops_at_error = args.size() > 2 || (!options.function->shared && !options.overload) ||
                             (options.overload && options.overload->stops_at_error);
    if (StepRef made = optional_or(expr, options, args)) return made;
    if (options.overload_id == "in_list") {
      if (StepRef made = membership(expr, args)) return made;
    }
    compile_regex(options, args);
    const bool folds = is_conversion(expr.name) && args.size() == 1 && constant(args[0]);
    auto call = std::make_unique<Call>(expr.id, std::move(options), std::move(args));
    if (!folds) return call;
    Value value = value_now(*call);
    if (value.is_error()) throw CompileError(value.text());
    return std::make_unique<Const>(expr.id, std::move(value));
  }

  static StepRef optional_or(const Expr& expr, const Call::Options& options, std::vector<StepRef>& args) {
    if (args.size() != 2 || (expr.name != "or" && expr.name != "orValue")) return nullptr;
    if (!options.overload_id.starts_with("optional_or") && !options.overload_id.empty()) return nullptr;
    return std::make_unique<OptionalOr>(expr.id, expr.name == "orValue", std::move(args[0]), std::move(args[1]));
  }

  static StepRef membership(const Expr& expr, std::vector<StepRef>& args) {
    const Value* list = constant(args[1]);
    if (!list || !list->is(Kind::list)) return nullptr;
    if (list->as_list().size() == 0) return std::make_unique<Const>(expr.id, Value::boolean(false));
    for (std::size_t i = 0; i < list->as_list().size(); ++i) {
      switch (list->as_list().at(i).kind()) {
        case Kind::boolean:
        case Kind::integer:
        case Kind::unsigned_integer:
        case Kind::real:
        case Kind::string: break;
        default: return nullptr;
      }
    }
    return std::make_unique<Membership>(expr.id, std::move(args[0]), Value(*list));
  }

  static void compile_regex(Call::Options& options, const std::vector<StepRef>& args) {
    const std::string& name = options.function->name;
    if (args.size() < 2 || (name != "matches" && name != "find" && name != "findAll")) return;
    const Value* pattern = constant(args[1]);
    if (!pattern || !pattern->is(Kind::string)) return;
    try {
      options.regex = std::make_shared<const Regex>(pattern->text());
    } catch (const RegexError& error) {  // told as cel-go tells it
      throw CompileError(error.what());
    }
    options.stops_at_error = true;
  }

  StepRef plan_list(const Expr& expr) {
    std::vector<StepRef> elements;
    bool constants = true;
    for (const ExprRef& arg : expr.args) {
      elements.push_back(plan(*arg));
      constants = constants && constant(elements.back());
    }
    auto made = std::make_unique<MakeList>(expr.id, std::move(elements), expr.optional);
    if (!constants) return made;
    return std::make_unique<Const>(expr.id, value_now(*made));
  }

  StepRef plan_map(const Expr& expr) {
    std::vector<MakeMap::Entry> entries;
    bool constants = true;
    for (const Expr::Entry& entry : expr.entries) {
      entries.push_back({.key = plan(*entry.key), .value = plan(*entry.value), .optional = entry.optional});
      constants = constants && constant(entries.back().key) && constant(entries.back().value);
    }
    auto made = std::make_unique<MakeMap>(expr.id, std::move(entries));
    if (!constants) return made;
    return std::make_unique<Const>(expr.id, value_now(*made));
  }

  StepRef plan_object(const Expr& expr) {
    std::vector<StepRef> values;
    values.reserve(expr.entries.size());
    for (const Expr::Entry& entry : expr.entries) values.push_back(plan(*entry.value));
    return std::make_unique<MakeObject>(expr.id, expr.name, std::move(values));
  }

  StepRef plan_fold(const Expr& expr) {
    const Expr::Fold& from = *expr.fold;
    auto made = std::make_unique<Fold>(expr.id);
    made->accumulator = number(from.accumulator);
    made->first = number(from.variable);
    made->second = from.variable2.empty() ? -1 : number(from.variable2);
    made->init = plan(*from.init);
    made->range = plan(*from.range);
    made->condition = plan(*from.condition);
    made->step = plan(*from.step);
    made->result = plan(*from.result);
    return made;
  }

  const Checked& checked_;
  const CheckInput& input_;
  std::map<std::string, int, std::less<>> variables_;
};

}  // namespace

Plan plan(const Ast& ast, const Checked& checked, const CheckInput& input) {
  return Planner(checked, input).run(*ast.root);
}

}  // namespace flyball::cel::detail
