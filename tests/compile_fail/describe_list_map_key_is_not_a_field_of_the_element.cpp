// A key with a spelling mistake.
// expect-error: function '[a-z_: ]*list_map_key_is_not_a_field_of_the_element
#include "flyball/reflect/describe.hpp"

struct Port {
  std::string name;
};
FLYBALL_DESCRIBE(Port, (name, "What it is called."))

struct Spec {
  std::vector<Port> ports;
};
FLYBALL_DESCRIBE(Spec, (ports, "A field.", list_type("map"), list_map_key("nmae")))
