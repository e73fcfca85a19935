// A string has no field that could be a key.
// expect-error: function '[a-z_: ]*list_map_key_applies_to_lists_of_structs
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::vector<std::string> hosts;
};
FLYBALL_DESCRIBE(Spec, (hosts, "A field.", list_type("map"), list_map_key("name")))
