// A struct describes itself, in an entry named self.
// expect-error: function '[a-z_: ]*wrap_applies_to_scalars_lists_and_maps
#include "flyball/reflect/describe.hpp"

struct Port {
  std::string name;
};
FLYBALL_DESCRIBE(Port, (name, "What it is called."))

struct Door {
  Port port;
};
FLYBALL_WRAP(Door, port)
