// The steps an expression is evaluated in. Costs follow cel-go's interpreter to the unit, so the steps, their ids and
// the order in which each tells the tracker of its value are those of cel-go's.
//
// Thread-safety: a plan is immutable; a Frame belongs to one evaluation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flyball/base/regex.hpp"
#include "flyball/cel/functions.hpp"
#include "flyball/cel/value.hpp"

namespace flyball::cel::detail {

// More was spent than the limit allows.
struct CostExceeded {};

// Counts what an evaluation costs. Values of steps are kept on a stack until the step that takes them is done.
class Tracker {
 public:
  explicit Tracker(std::uint64_t limit) : limit_(limit) {}
  void charge(std::uint64_t cost) { cost_ += cost; }
  void refund(std::uint64_t cost) { cost_ -= cost; }
  void push(std::int64_t id, const Value& value) {
    stack_.emplace_back(id, value);
    if (cost_ > limit_) throw CostExceeded();
  }
  void drop(std::int64_t id);
  // The values of the arguments, last one first looked for; nothing when one is not on the stack.
  std::optional<std::vector<Value>> take(const std::vector<std::int64_t>& ids);
  std::uint64_t cost() const { return cost_; }

 private:
  std::uint64_t limit_;
  std::uint64_t cost_ = 0;
  std::vector<std::pair<std::int64_t, Value>> stack_;
};

// What a call costs, from the values that went in and came out.
std::uint64_t call_cost(std::string_view function, std::string_view overload, Args args, const Value& result);

class Fold;
class FoldState;

struct Frame {
  Tracker* tracker;
  const std::vector<std::optional<Value>>* variables;  // by their number
  FoldState* top;                                      // the innermost comprehension
};

class Step {
 public:
  explicit Step(std::int64_t id) : id_(id) {}
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  virtual ~Step() = default;
  // Evaluates and tells the tracker.
  Value run(const Frame& frame) const {
    Value value = eval(frame);
    observe(*frame.tracker, value);
    return value;
  }
  virtual std::int64_t id() const { return id_; }
  virtual Value eval(const Frame& frame) const = 0;

 protected:
  virtual void observe(Tracker& tracker, const Value& value) const { tracker.push(id(), value); }

 private:
  std::int64_t id_;
};
using StepRef = std::unique_ptr<Step>;

class Const final : public Step {
 public:
  Const(std::int64_t id, Value from) : Step(id), value(std::move(from)) {}
  Value eval(const Frame&) const override { return value; }
  const Value value;
};

// One comprehension while it runs.
class FoldState {
 public:
  const Fold* fold = nullptr;
  const Frame* outside = nullptr;
  Value accumulated = {};
  Value first = {};
  Value second = {};
  bool initialized = false;
  bool grows = false;
  bool at_result = false;
};

std::optional<Value> resolve(const Frame& frame, int variable);

// .field, [key], or the key that another step gives.
class Qualifier {
 public:
  Qualifier(std::int64_t from_id, bool is_optional) : id(from_id), optional(is_optional) {}
  Qualifier(const Qualifier&) = delete;
  Qualifier& operator=(const Qualifier&) = delete;
  virtual ~Qualifier() = default;
  virtual Value apply(const Frame& frame, const Value& object) const = 0;
  // Nothing when it is not there.
  virtual std::optional<Value> apply_if_present(const Frame& frame, const Value& object) const = 0;
  const std::int64_t id;
  const bool optional;
};
using QualifierRef = std::shared_ptr<const Qualifier>;

// A variable or a value, and the way from there to one of its parts.
class Attribute {
 public:
  Attribute() = default;
  Attribute(const Attribute&) = delete;
  Attribute& operator=(const Attribute&) = delete;
  virtual ~Attribute() = default;
  virtual std::int64_t id() const = 0;
  virtual Value resolve(const Frame& frame) const = 0;
  virtual void add(const QualifierRef& qualifier) = 0;
  virtual void observe(Tracker& tracker) const = 0;
};
using AttributeRef = std::shared_ptr<Attribute>;

AttributeRef variable_attribute(std::int64_t id, int variable, std::string name);
AttributeRef value_attribute(std::int64_t id, StepRef operand);
AttributeRef conditional_attribute(std::int64_t id, StepRef condition, AttributeRef yes, AttributeRef no);

QualifierRef constant_qualifier(std::int64_t id, Value key, bool optional);
QualifierRef test_qualifier(std::int64_t id, Value key);
// The key is what the attribute resolves to; `charged_as_step`: it was made for an operand that is no attribute.
QualifierRef attribute_qualifier(std::int64_t id, AttributeRef key, bool optional, bool charged_as_step);

class AttributeStep final : public Step {
 public:
  AttributeStep(std::int64_t id, AttributeRef from, bool is_test = false)
      : Step(id), attribute(std::move(from)), test(is_test) {}
  std::int64_t id() const override { return test ? Step::id() : attribute->id(); }
  Value eval(const Frame& frame) const override;
  const AttributeRef attribute;
  const bool test;  // has(): whether it is there

 protected:
  void observe(Tracker& tracker, const Value& value) const override;
};

// A call of a function.
class Call final : public Step {
 public:
  struct Options {
    const Function* function = nullptr;
    const Overload* overload = nullptr;  // null: found by the arguments' types
    std::string overload_id = {};        // what the checker resolved, for the cost
    bool stops_at_error = false;
    std::shared_ptr<const Regex> regex = nullptr;  // for a pattern that is a literal
  };
  Call(std::int64_t id, Options options, std::vector<StepRef> args);
  Value eval(const Frame& frame) const override;
  const Options& options() const { return options_; }
  const std::vector<StepRef>& args() const { return args_; }
  std::vector<StepRef> take_args() { return std::move(args_); }
  Value apply(Args values) const;

 protected:
  void observe(Tracker& tracker, const Value& value) const override;

 private:
  Options options_;
  std::vector<StepRef> args_;
  std::vector<std::int64_t> ids_;
};

}  // namespace flyball::cel::detail
