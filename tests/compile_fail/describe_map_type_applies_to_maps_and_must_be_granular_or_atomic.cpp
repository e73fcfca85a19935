// A map cannot be merged as a set.
// expect-error: function '[a-z_: ]*map_type_applies_to_maps_and_must_be_granular_or_atomic
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::map<std::string, std::string> labels;
};
FLYBALL_DESCRIBE(Spec, (labels, "A field.", map_type("set")))
