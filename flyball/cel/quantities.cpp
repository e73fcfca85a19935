// Kubernetes' quantities and semantic versions.
#include <algorithm>
#include <array>
#include <cmath>

#include "flyball/cel/functions.hpp"
#include "flyball/cel/operations.hpp"
#include "flyball/kube/go_text.hpp"
#include "flyball/kube/quantity.hpp"

namespace flyball::cel {
namespace {

class QuantityObject final : public Object {
 public:
  explicit QuantityObject(kube::Quantity from) : quantity(std::move(from)) {}
  const TypeRef& type() const override {
    static const TypeRef quantity_type = object_type("kubernetes.Quantity");
    return quantity_type;
  }
  Value equal(const Object& other) const override {
    const auto* same = dynamic_cast<const QuantityObject*>(&other);
    return same ? Value::boolean(quantity == same->quantity) : no_such_overload();
  }
  std::string text() const override { return quantity.to_string(); }
  kube::Quantity quantity;
};

const kube::Quantity& quantity_of(const Value& value) {
  return static_cast<const QuantityObject&>(value.as_object()).quantity;
}

Value to_quantity(Args args) {
  std::string why;
  std::optional<kube::Quantity> parsed = kube::Quantity::try_parse(args[0].text(), &why);
  if (!parsed) return Value::error(why);
  return Value::object(std::make_shared<QuantityObject>(*std::move(parsed)));
}

std::optional<std::int64_t> whole(const kube::Quantity& quantity) {
  const std::int64_t value = quantity.value();
  if (kube::Quantity::of(value, quantity.format()) == quantity) return value;
  return std::nullopt;
}

int order(const Value& a, const Value& b) {
  const auto compared = quantity_of(a) <=> quantity_of(b);
  return compared < 0 ? -1 : compared > 0 ? 1 : 0;
}

kube::Quantity second(const Value& value) {
  if (!value.is(Value::Kind::integer)) return quantity_of(value);
  return kube::Quantity::of(value.as_int(), kube::Quantity::Format::decimal_exponent);
}

Value plus(Args args) {
  return Value::object(std::make_shared<QuantityObject>(quantity_of(args[0]) + second(args[1])));
}
Value minus(Args args) {
  return Value::object(std::make_shared<QuantityObject>(quantity_of(args[0]) - second(args[1])));
}

}  // namespace

void add_quantities(Functions& to) {
  const std::string q = "kubernetes.Quantity";
  to.global("quantity", "string_to_quantity", "string -> " + q, to_quantity);
  to.global("isQuantity", "is_quantity_string", "string -> bool",
            [](Args args) { return Value::boolean(kube::Quantity::try_parse(args[0].text()).has_value()); });
  to.global("sign", "quantity_sign", q + " -> int",
            [](Args args) { return Value::integer(quantity_of(args[0]).sign()); });
  to.member("isGreaterThan", "quantity_is_greater_than", q + ", " + q + " -> bool",
            [](Args args) { return Value::boolean(order(args[0], args[1]) > 0); });
  to.member("isLessThan", "quantity_is_less_than", q + ", " + q + " -> bool",
            [](Args args) { return Value::boolean(order(args[0], args[1]) < 0); });
  to.member("compareTo", "quantity_compare_to", q + ", " + q + " -> int",
            [](Args args) { return Value::integer(order(args[0], args[1])); });
  to.member("asApproximateFloat", "quantity_get_float", q + " -> double",
            [](Args args) { return Value::real(quantity_of(args[0]).as_double()); });
  to.member("asInteger", "quantity_get_int", q + " -> int", [](Args args) {
    const auto value = whole(quantity_of(args[0]));
    return value ? Value::integer(*value) : Value::error("cannot convert value to integer");
  });
  to.member("isInteger", "quantity_is_integer", q + " -> bool",
            [](Args args) { return Value::boolean(whole(quantity_of(args[0])).has_value()); });
  to.member("add", "quantity_add", q + ", " + q + " -> " + q, plus);
  to.member("add", "quantity_add_int", q + ", int -> " + q, plus);
  to.member("sub", "quantity_sub", q + ", " + q + " -> " + q, minus);
  to.member("sub", "quantity_sub_int", q + ", int -> " + q, minus);
}

}  // namespace flyball::cel
