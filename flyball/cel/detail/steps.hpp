// The steps that are neither attributes nor calls.
//
// Thread-safety: immutable.
#pragma once

#include <string>
#include <vector>

#include "flyball/cel/detail/plan.hpp"

namespace flyball::cel::detail {

// && and ||: an error on one side does not matter when the other decides.
class Logic final : public Step {
 public:
  Logic(std::int64_t id, bool one_is_enough, std::vector<StepRef> from)
      : Step(id), is_or(one_is_enough), terms(std::move(from)) {}
  Value eval(const Frame& frame) const override;
  const bool is_or;
  const std::vector<StepRef> terms;

 protected:
  void observe(Tracker& tracker, const Value& value) const override;
};

class Equality final : public Step {
 public:
  Equality(std::int64_t id, bool is_negated, StepRef a, StepRef b)
      : Step(id), negated(is_negated), left(std::move(a)), right(std::move(b)) {}
  Value eval(const Frame& frame) const override;
  const bool negated;
  const StepRef left;
  const StepRef right;

 protected:
  void observe(Tracker& tracker, const Value& value) const override;
};

class MakeList final : public Step {
 public:
  MakeList(std::int64_t id, std::vector<StepRef> from, std::vector<bool> optionals)
      : Step(id), elements(std::move(from)), optional(std::move(optionals)) {}
  Value eval(const Frame& frame) const override;
  const std::vector<StepRef> elements;
  const std::vector<bool> optional;

 protected:
  void observe(Tracker& tracker, const Value& value) const override;
};

class MakeMap final : public Step {
 public:
  struct Entry {
    StepRef key = nullptr;
    StepRef value = nullptr;
    bool optional = false;
  };
  MakeMap(std::int64_t id, std::vector<Entry> from) : Step(id), entries(std::move(from)) {}
  Value eval(const Frame& frame) const override;
  const std::vector<Entry> entries;

 protected:
  void observe(Tracker& tracker, const Value& value) const override;
};

// Kubernetes has no types that rules may construct: what the checker lets through fails when it is reached.
class MakeObject final : public Step {
 public:
  MakeObject(std::int64_t id, std::string name, std::vector<StepRef> from)
      : Step(id), type(std::move(name)), values(std::move(from)) {}
  Value eval(const Frame& frame) const override;
  const std::string type;
  const std::vector<StepRef> values;

 protected:
  void observe(Tracker& tracker, const Value& value) const override;
};

// `x in [1, 2]` with a list of constants.
class Membership final : public Step {
 public:
  Membership(std::int64_t id, StepRef of, Value constants)
      : Step(id), element(std::move(of)), list(std::move(constants)) {}
  Value eval(const Frame& frame) const override;
  const StepRef element;
  const Value list;
};

// a.or(b) and a.orValue(b): the right side is looked at only when it is needed.
class OptionalOr final : public Step {
 public:
  OptionalOr(std::int64_t id, bool value, StepRef a, StepRef b)
      : Step(id), unwraps(value), left(std::move(a)), right(std::move(b)) {}
  Value eval(const Frame& frame) const override;
  const bool unwraps;
  const StepRef left;
  const StepRef right;
};

class Fold final : public Step {
 public:
  explicit Fold(std::int64_t id) : Step(id) {}
  Value eval(const Frame& frame) const override;
  Value initial(FoldState& state) const;
  // What Go calls the value's type in messages: types.Int.
  static std::string go_type(const Value& value);
  // The numbers of its variables; -1 for none.
  int accumulator = -1;
  int first = -1;
  int second = -1;
  StepRef range = nullptr;
  StepRef init = nullptr;
  StepRef condition = nullptr;
  StepRef step = nullptr;
  StepRef result = nullptr;

 protected:
  void observe(Tracker& tracker, const Value& value) const override;

 private:
  static Value settled(Value value, bool grows);
};

}  // namespace flyball::cel::detail
