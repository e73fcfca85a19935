#include "flyball/cel/env.hpp"

#include "flyball/cel/detail/planner.hpp"

namespace flyball::cel {

struct Program::Compiled {
  detail::Plan plan;
  TypeRef type;
  std::shared_ptr<const TypeProvider> provider;
  std::uint64_t cost_limit = 0;
};

const TypeRef& Program::type() const { return compiled_->type; }

Result Program::evaluate(const Variables& variables) const {
  std::vector<std::optional<Value>> values(compiled_->plan.variables.size());
  for (const auto& [name, value] : variables) {
    const auto found = compiled_->plan.variables.find(name);
    if (found != compiled_->plan.variables.end()) values[static_cast<std::size_t>(found->second)] = value;
  }
  detail::Tracker tracker(compiled_->cost_limit);
  Result result;
  try {
    result.value = compiled_->plan.root->run({&tracker, &values, nullptr});
  } catch (const detail::CostExceeded&) {
    result.value = Value::error("operation cancelled: actual cost limit exceeded");
  }
  result.cost = tracker.cost();
  return result;
}

Program Env::compile(std::string_view expression) const {
  const Source source(expression);
  Issues issues;
  Ast ast = parse(source, issues);
  if (!issues.empty()) throw CompileError(issues.text(source));
  const detail::CheckInput input{source, kubernetes_functions(), options_.types.get(), options_.variables};
  const detail::Checked checked = detail::check(ast, input, issues);
  if (issues.empty()) detail::validate(ast, checked, input, issues);
  if (!issues.empty()) throw CompileError(issues.text(source));
  auto compiled = std::make_shared<Program::Compiled>();
  compiled->plan = detail::plan(ast, checked, input);
  compiled->type = checked.types[static_cast<std::size_t>(ast.root->id)];
  compiled->provider = options_.types;
  compiled->cost_limit = options_.cost_limit;
  return Program(std::move(compiled));
}

}  // namespace flyball::cel
