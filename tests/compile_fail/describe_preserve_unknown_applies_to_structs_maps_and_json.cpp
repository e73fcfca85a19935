// A number has no fields, known or not.
// expect-error: function '[a-z_: ]*preserve_unknown_applies_to_structs_maps_and_json
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", preserve_unknown))
