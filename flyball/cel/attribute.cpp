#include <utility>

#include "flyball/cel/detail/steps.hpp"
#include "flyball/cel/operations.hpp"

namespace flyball::cel::detail {
namespace {

using Kind = Value::Kind;

std::optional<Value> part(const Value& object, const Value& key) {
  if (object.is_error()) return object;
  if (object.is(Kind::map)) return object.as_map().find(key);
  if (!object.is(Kind::list)) return std::nullopt;
  Value index = index_of(key);
  if (index.is_error()) return index;
  const bool inside = index.as_int() >= 0 && index.as_uint() < object.as_list().size();
  if (!inside) return std::nullopt;
  return object.as_list().at(static_cast<std::size_t>(index.as_int()));
}

Value missing(const Value& object, const Value& key) {
  return Value::error((object.is(Kind::list) ? "index out of bounds: " : "no such key: ") + go_text(key));
}

class ConstantQualifier final : public Qualifier {
 public:
  ConstantQualifier(std::int64_t from_id, Value key, bool is_optional)
      : Qualifier(from_id, is_optional), key_(std::move(key)) {}
  Value apply(const Frame& frame, const Value& object) const override {
    std::optional<Value> found = part(object, key_);
    Value value = found ? *std::move(found) : missing(object, key_);
    frame.tracker->charge(1);
    frame.tracker->push(id, value);
    return value;
  }
  std::optional<Value> apply_if_present(const Frame& frame, const Value& object) const override {
    std::optional<Value> found = part(object, key_);
    if (!found || found->is_error()) return found;
    frame.tracker->charge(1);
    frame.tracker->push(id, *found);
    return found;
  }

 private:
  Value key_;
};

class TestQualifier final : public Qualifier {
 public:
  TestQualifier(std::int64_t from_id, Value key) : Qualifier(from_id, false), key_(std::move(key)) {}
  Value apply(const Frame& frame, const Value& object) const override {
    const std::optional<Value> found = part(object, key_);
    Value value = found && found->is_error() ? *found : Value::boolean(found.has_value());
    frame.tracker->charge(1);
    frame.tracker->push(id, value);
    return value;
  }
  std::optional<Value> apply_if_present(const Frame& frame, const Value& object) const override {
    std::optional<Value> found = part(object, key_);
    if (!found || found->is_error()) return found;
    frame.tracker->charge(1);
    frame.tracker->push(id, *found);
    return found;
  }

 private:
  Value key_;
};

class AttributeQualifier final : public Qualifier {
 public:
  AttributeQualifier(std::int64_t from_id, AttributeRef key, bool is_optional, bool as_step)
      : Qualifier(from_id, is_optional), key_(std::move(key)), as_step_(as_step) {}
  Value apply(const Frame& frame, const Value& object) const override {
    const Value key = resolved(frame);
    std::optional<Value> found = key.is_error() ? key : part(object, key);
    Value value = found ? *std::move(found) : missing(object, key);
    charge(frame, value);
    return value;
  }
  std::optional<Value> apply_if_present(const Frame& frame, const Value& object) const override {
    const Value key = resolved(frame);
    std::optional<Value> found = key.is_error() ? key : part(object, key);
    if (found && !found->is_error()) charge(frame, *found);
    return found;
  }

 private:
  Value resolved(const Frame& frame) const {
    Value key = key_->resolve(frame);
    switch (key.kind()) {
      case Kind::string:
      case Kind::integer:
      case Kind::unsigned_integer:
      case Kind::boolean:
      case Kind::real:
      case Kind::error: return key;
      default: return Value::error("invalid qualifier type: " + Fold::go_type(key));
    }
  }
  void charge(const Frame& frame, const Value& value) const {
    if (as_step_) frame.tracker->drop(key_->id());
    frame.tracker->charge(1);
    frame.tracker->push(id, value);
  }

  AttributeRef key_;
  bool as_step_;
};

Value qualified(const Frame& frame, Value object, const std::vector<QualifierRef>& qualifiers) {
  bool optional = object.is(Kind::optional);
  if (optional) {
    if (!object.has_value()) return object;
    object = Value(object.inner());
  }
  for (const QualifierRef& qualifier : qualifiers) {
    optional = optional || qualifier->optional;
    if (optional) {
      std::optional<Value> found = qualifier->apply_if_present(frame, object);
      if (!found) return Value::none();
      object = *std::move(found);
    } else {
      object = qualifier->apply(frame, object);
    }
    if (object.is_error()) return object;
  }
  return optional ? Value::optional(std::move(object)) : object;
}

class PathAttribute : public Attribute {
 public:
  explicit PathAttribute(std::int64_t id) : id_(id) {}
  std::int64_t id() const override { return qualifiers_.empty() ? id_ : qualifiers_.back()->id; }
  void add(const QualifierRef& qualifier) override { qualifiers_.push_back(qualifier); }
  void observe(Tracker& tracker) const override {
    tracker.drop(id());
    tracker.charge(1);
  }

 protected:
  const std::vector<QualifierRef>& qualifiers() const { return qualifiers_; }

 private:
  std::int64_t id_;
  std::vector<QualifierRef> qualifiers_;
};

class VariableAttribute final : public PathAttribute {
 public:
  VariableAttribute(std::int64_t id, int variable, std::string name)
      : PathAttribute(id), variable_(variable), name_(std::move(name)) {}
  Value resolve(const Frame& frame) const override {
    std::optional<Value> value = detail::resolve(frame, variable_);
    if (!value) return Value::error("no such attribute(s): " + name_);
    if (value->is_error() || qualifiers().empty()) return *std::move(value);
    return qualified(frame, *std::move(value), qualifiers());
  }

 private:
  int variable_;
  std::string name_;
};

class ValueAttribute final : public PathAttribute {
 public:
  ValueAttribute(std::int64_t id, StepRef operand) : PathAttribute(id), operand_(std::move(operand)) {}
  Value resolve(const Frame& frame) const override {
    Value value = operand_->run(frame);
    if (value.is_error() || qualifiers().empty()) return value;
    return qualified(frame, std::move(value), qualifiers());
  }

 private:
  StepRef operand_;
};

class ConditionalAttribute final : public Attribute {
 public:
  ConditionalAttribute(std::int64_t id, StepRef condition, AttributeRef yes, AttributeRef no)
      : id_(id), condition_(std::move(condition)), yes_(std::move(yes)), no_(std::move(no)) {}
  std::int64_t id() const override { return yes_->id() == no_->id() ? yes_->id() : id_; }
  void add(const QualifierRef& qualifier) override {
    yes_->add(qualifier);
    no_->add(qualifier);
  }
  Value resolve(const Frame& frame) const override {
    const Value condition = condition_->run(frame);
    if (condition.is_true()) return yes_->resolve(frame);
    if (condition.is_false()) return no_->resolve(frame);
    return condition.is_error() ? condition : no_such_overload();
  }
  void observe(Tracker& tracker) const override {
    tracker.drop(no_->id());
    tracker.drop(yes_->id());
    tracker.drop(condition_->id());
  }

 private:
  std::int64_t id_;
  StepRef condition_;
  AttributeRef yes_;
  AttributeRef no_;
};

}  // namespace

AttributeRef variable_attribute(std::int64_t id, int variable, std::string name) {
  return std::make_shared<VariableAttribute>(id, variable, std::move(name));
}
AttributeRef value_attribute(std::int64_t id, StepRef operand) {
  return std::make_shared<ValueAttribute>(id, std::move(operand));
}
AttributeRef conditional_attribute(std::int64_t id, StepRef condition, AttributeRef yes, AttributeRef no) {
  return std::make_shared<ConditionalAttribute>(id, std::move(condition), std::move(yes), std::move(no));
}
QualifierRef constant_qualifier(std::int64_t id, Value key, bool optional) {
  return std::make_shared<ConstantQualifier>(id, std::move(key), optional);
}
QualifierRef test_qualifier(std::int64_t id, Value key) { return std::make_shared<TestQualifier>(id, std::move(key)); }
QualifierRef attribute_qualifier(std::int64_t id, AttributeRef key, bool optional, bool charged_as_step) {
  return std::make_shared<AttributeQualifier>(id, std::move(key), optional, charged_as_step);
}

Value AttributeStep::eval(const Frame& frame) const {
  Value value = attribute->resolve(frame);
  if (test && value.is(Kind::optional)) return Value::boolean(value.has_value());
  return value;
}

void AttributeStep::observe(Tracker& tracker, const Value& value) const {
  attribute->observe(tracker);
  if (test) tracker.refund(1);
  tracker.push(id(), value);
}

}  // namespace flyball::cel::detail
