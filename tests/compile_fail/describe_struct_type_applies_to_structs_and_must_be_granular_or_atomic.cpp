// A number is no struct.
// expect-error: function '[a-z_: ]*struct_type_applies_to_structs_and_must_be_granular_or_atomic
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", struct_type("atomic")))
