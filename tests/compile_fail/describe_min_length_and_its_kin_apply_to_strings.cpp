// A number has no length.
// expect-error: function '[a-z_: ]*min_length_and_its_kin_apply_to_strings
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", max_length(3)))
