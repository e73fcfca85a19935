#include "flyball/cel/detail/steps.hpp"

#include <algorithm>
#include <utility>

#include "flyball/cel/ast.hpp"
#include "flyball/cel/operations.hpp"

namespace flyball::cel::detail {

using Kind = Value::Kind;

void Tracker::drop(std::int64_t id) {
  for (std::size_t i = stack_.size(); i-- > 0;) {
    if (stack_[i].first != id) continue;
    stack_.resize(i);
    return;
  }
}

std::optional<std::vector<Value>> Tracker::take(const std::vector<std::int64_t>& ids) {
  std::vector<Value> values(ids.size());
  for (std::size_t n = ids.size(); n-- > 0;) {
    std::size_t i = stack_.size();
    while (i > 0 && stack_[i - 1].first != ids[n]) --i;
    if (i == 0) return std::nullopt;
    values[n] = std::move(stack_[i - 1].second);
    stack_.resize(i - 1);
  }
  return values;
}

std::optional<Value> resolve(const Frame& frame, int variable) {
  for (FoldState* state = frame.top; state; state = state->outside->top) {
    const Fold& fold = *state->fold;
    if (variable == fold.accumulator) {
      if (!state->initialized) {
        state->initialized = true;
        state->accumulated = fold.initial(*state);
      }
      return state->accumulated;
    }
    if (state->at_result) continue;
    if (variable == fold.first) return state->first;
    if (variable == fold.second) return state->second;
  }
  return (*frame.variables)[static_cast<std::size_t>(variable)];
}

Value Logic::eval(const Frame& frame) const {
  Value error;
  for (const StepRef& term : terms) {
    const Value value = term->run(frame);
    if (value.is(Kind::boolean)) {
      if (value.as_bool() == is_or) return value;
    } else if (!error.is_error()) {
      error = value.is_error() ? value : no_such_overload();
    }
  }
  return error.is_error() ? error : Value::boolean(!is_or);
}

void Logic::observe(Tracker& tracker, const Value& value) const {
  for (const StepRef& term : terms) tracker.drop(term->id());
  tracker.push(id(), value);
}

Value Equality::eval(const Frame& frame) const {
  Value a = left->run(frame);
  Value b = right->run(frame);
  if (a.is_error()) return a;
  if (b.is_error()) return b;
  Value same = equal(a, b);
  if (!negated) return same;
  return Value::boolean(!same.is_true());
}

void Equality::observe(Tracker& tracker, const Value& value) const {
  if (const auto args = tracker.take({left->id(), right->id()})) {
    tracker.charge(negated ? call_cost(operators::kNotEquals, "not_equals", *args, value)
                           : call_cost(operators::kEquals, "equals", *args, value));
  }
  tracker.push(id(), value);
}

Value MakeList::eval(const Frame& frame) const {
  std::vector<Value> made;
  made.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Value value = elements[i]->run(frame);
    if (value.is_error()) return value;
    if (optional[i]) {
      if (!value.is(Kind::optional)) {
        return Value::error("cannot initialize optional list element from non-optional value " + go_text(value));
      }
      if (!value.has_value()) continue;
      value = Value(value.inner());
    }
    made.push_back(std::move(value));
  }
  return Value::list(std::move(made));
}

void MakeList::observe(Tracker& tracker, const Value& value) const {
  std::vector<std::int64_t> ids;
  ids.reserve(elements.size());
  for (const StepRef& element : elements) ids.push_back(element->id());
  static_cast<void>(tracker.take(ids));
  tracker.charge(10);
  tracker.push(id(), value);
}

Value MakeMap::eval(const Frame& frame) const {
  auto made = std::make_shared<HashMap>();
  for (const Entry& entry : entries) {
    Value key = entry.key->run(frame);
    if (key.is_error()) return key;
    Value value = entry.value->run(frame);
    if (value.is_error()) return value;
    if (entry.optional) {
      if (!value.is(Kind::optional)) {
        return Value::error("cannot initialize optional entry '" + go_text(key) + "' from non-optional value " +
                            go_text(value));
      }
      if (!value.has_value()) {
        made->erase(key);
        continue;
      }
      value = Value(value.inner());
    }
    made->set(key, std::move(value));
  }
  return Value::map(std::shared_ptr<const Map>(std::move(made)));
}

void MakeMap::observe(Tracker& tracker, const Value& value) const {
  std::vector<std::int64_t> ids;
  for (const Entry& entry : entries) {
    ids.push_back(entry.key->id());
    ids.push_back(entry.value->id());
  }
  static_cast<void>(tracker.take(ids));
  tracker.charge(30);
  tracker.push(id(), value);
}

Value MakeObject::eval(const Frame& frame) const {
  for (const StepRef& value : values) {
    Value made = value->run(frame);
    if (made.is_error()) return made;
  }
  return Value::error("unknown type '" + type + "'");
}

void MakeObject::observe(Tracker& tracker, const Value& value) const {
  std::vector<std::int64_t> ids;
  ids.reserve(values.size());
  for (const StepRef& each : values) ids.push_back(each->id());
  static_cast<void>(tracker.take(ids));
  tracker.charge(40);
  tracker.push(id(), value);
}

Value Membership::eval(const Frame& frame) const {
  Value value = element->run(frame);
  if (value.is_error()) return value;
  return Value::boolean(contains(list.as_list(), value));
}

Value OptionalOr::eval(const Frame& frame) const {
  Value value = left->run(frame);
  if (!value.is(Kind::optional)) return value;
  if (!value.has_value()) return right->run(frame);
  return unwraps ? Value(value.inner()) : value;
}

Value Fold::initial(FoldState& state) const {
  Value value = init->run(*state.outside);
  if (value.is(Kind::list) && value.as_list().size() == 0) {
    state.grows = true;
    return Value::list(std::make_shared<GrowingList>());
  }
  if (value.is(Kind::map) && value.as_map().size() == 0) {
    state.grows = true;
    return Value::map(std::shared_ptr<const Map>(std::make_shared<GrowingMap>()));
  }
  return value;
}

Value Fold::eval(const Frame& frame) const {
  FoldState state;
  state.fold = this;
  state.outside = &frame;
  const Frame inside{frame.tracker, frame.variables, &state};
  Value over = range->run(frame);
  if (over.is_error()) return over;
  const bool two = second >= 0;
  // True when the loop goes on.
  const auto once = [&](Value a, Value b) {
    state.first = std::move(a);
    state.second = std::move(b);
    if (condition->run(inside).is_false()) return false;
    Value stepped = step->run(inside);
    state.accumulated = std::move(stepped);
    state.initialized = true;
    return true;
  };
  if (over.is(Kind::list)) {
    const List& list = over.as_list();
    const std::size_t count = list.size();
    for (std::size_t i = 0; i < count; ++i) {
      Value element = list.at(i);
      if (!(two ? once(Value::integer(static_cast<std::int64_t>(i)), std::move(element))
                : once(std::move(element), {}))) {
        break;
      }
    }
  } else if (over.is(Kind::map)) {
    for (const Value& key : over.as_map().keys()) {
      if (!once(key, two ? *over.as_map().find(key) : Value())) break;
    }
  } else {
    return Value::error(two ? "unsupported comprehension range type: " + go_type(over)
                            : "got '" + go_type(over) + "', expected iterable type");
  }
  state.at_result = true;
  return settled(result->run(inside), state.grows);
}

// What an accumulator grew is from here on as constant as any other list.
Value Fold::settled(Value value, bool grows) {
  if (!grows) return value;
  if (const auto list = std::dynamic_pointer_cast<const GrowingList>(value.payload())) {
    return Value::list(list->elements);
  }
  if (const auto map = std::dynamic_pointer_cast<const GrowingMap>(value.payload())) {
    auto copy = std::make_shared<HashMap>(map->entries);
    return Value::map(std::shared_ptr<const Map>(std::move(copy)));
  }
  return value;
}

std::string Fold::go_type(const Value& value) {
  switch (value.kind()) {
    case Kind::null: return "types.Null";
    case Kind::boolean: return "types.Bool";
    case Kind::integer: return "types.Int";
    case Kind::unsigned_integer: return "types.Uint";
    case Kind::real: return "types.Double";
    case Kind::string: return "types.String";
    case Kind::bytes: return "types.Bytes";
    case Kind::duration: return "types.Duration";
    case Kind::timestamp: return "types.Timestamp";
    case Kind::type: return "*types.Type";
    case Kind::optional: return "*types.Optional";
    default: return type_of(value)->name();
  }
}

void Fold::observe(Tracker& tracker, const Value& value) const {
  tracker.drop(range->id());
  tracker.push(id(), value);
}

}  // namespace flyball::cel::detail
