// A list has items, not properties.
// expect-error: function '[a-z_: ]*min_properties_and_its_kin_apply_to_maps_and_structs
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::vector<std::string> hosts;
};
FLYBALL_DESCRIBE(Spec, (hosts, "A field.", max_properties(3)))
