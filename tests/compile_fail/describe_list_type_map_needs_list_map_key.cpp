// What its elements are told apart by is missing.
// expect-error: function '[a-z_: ]*list_type_map_needs_list_map_key
#include "flyball/reflect/describe.hpp"

struct Port {
  std::string name;
};
FLYBALL_DESCRIBE(Port, (name, "What it is called."))

struct Spec {
  std::vector<Port> ports;
};
FLYBALL_DESCRIBE(Spec, (ports, "A field.", list_type("map")))
