#include <algorithm>

#include "flyball/cel/detail/plan.hpp"
#include "flyball/cel/operations.hpp"

namespace flyball::cel::detail {
namespace {

using Kind = Value::Kind;

Value no_overload(const std::string& name, Args values) {
  std::string types;
  for (const Value& value : values) {
    if (value.is_error()) return value;
    types += (types.empty() ? "" : ", ") + type_of(value)->name();
  }
  return Value::error("no such overload: " + name + "(" + types + ")");
}

bool matches(const Overload& overload, bool guarded, Args values) {
  if (!overload.implementation || overload.args.size() != values.size()) return false;
  if (!guarded) return true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!fits(*overload.args[i], values[i])) return false;
  }
  return true;
}

Value with_regex(const std::string& function, const Regex& regex, Args values) {
  if (!values[0].is(Kind::string)) return no_such_overload();
  const std::string& text = values[0].text();
  if (function == "matches") return Value::boolean(regex.search(text));
  if (function == "find") {
    const std::optional<Regex::Bounds> found = regex.find(text);
    return Value::string(found ? text.substr(found->begin, found->end - found->begin) : "");
  }
  std::size_t most = SIZE_MAX;
  if (values.size() == 3) {
    if (!values[2].is(Kind::integer)) return no_such_overload();
    if (values[2].as_int() >= 0) most = values[2].as_uint();
  }
  std::vector<Value> all;
  for (const auto& [begin, end] : regex.find_all(text, most))
    all.push_back(Value::string(text.substr(begin, end - begin)));
  return Value::list(std::move(all));
}

}  // namespace

Call::Call(std::int64_t id, Options options, std::vector<StepRef> args)
    : Step(id), options_(std::move(options)), args_(std::move(args)) {
  for (const StepRef& arg : args_) ids_.push_back(arg->id());
}

Value Call::eval(const Frame& frame) const {
  std::vector<Value> values;
  values.reserve(args_.size());
  const bool strict = !options_.function->takes_errors;
  for (const StepRef& arg : args_) {
    values.push_back(arg->run(frame));
    if (strict && options_.stops_at_error && values.back().is_error()) return values.back();
  }
  if (strict) {
    for (Value& value : values) {
      if (value.is_error()) return std::move(value);
    }
  }
  return apply(values);
}

Value Call::apply(Args values) const {
  const Function& function = *options_.function;
  if (options_.regex) return with_regex(function.name, *options_.regex, values);
  if (function.shared) {
    if (function.trait == Trait::none || has_trait(values[0], function.trait)) return function.shared(values);
    const bool receives = values[0].is(Kind::string) || values[0].is(Kind::timestamp) || values[0].is(Kind::duration);
    return receives ? no_such_overload() : Value::error("no such overload: " + function.name);
  }
  if (options_.overload) {
    if (!matches(*options_.overload, function.guarded, values)) return no_overload(function.name, values);
    return options_.overload->implementation(values);
  }
  const auto found = std::ranges::find_if(
      function.overloads, [&](const Overload& overload) { return matches(overload, function.guarded, values); });
  return found == function.overloads.end() ? no_overload(function.name, values) : found->implementation(values);
}

void Call::observe(Tracker& tracker, const Value& value) const {
  if (const auto values = tracker.take(ids_)) {
    tracker.charge(call_cost(options_.function->name, options_.overload_id, *values, value));
  }
  tracker.push(id(), value);
}

}  // namespace flyball::cel::detail
