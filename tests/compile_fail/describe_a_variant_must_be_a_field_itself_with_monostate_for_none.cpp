// The names of the alternatives belong to a field.
// expect-error: function '[a-z_: ]*a_variant_must_be_a_field_itself_with_monostate_for_none
#include "flyball/reflect/describe.hpp"

struct Port {
  std::string name;
};
FLYBALL_DESCRIBE(Port, (name, "What it is called."))

struct Spec {
  std::vector<std::variant<Port>> ports;
};
FLYBALL_DESCRIBE(Spec, (ports, "A field."))
