// A key is for lists of the type "map".
// expect-error: function '[a-z_: ]*list_map_key_needs_list_type_map
#include "flyball/reflect/describe.hpp"

struct Port {
  std::string name;
};
FLYBALL_DESCRIBE(Port, (name, "What it is called."))

struct Spec {
  std::vector<Port> ports;
};
FLYBALL_DESCRIBE(Spec, (ports, "A field.", list_map_key("name")))
