// Nothing but nothing is a multiple of 0.
// expect-error: function '[a-z_: ]*multiple_of_must_be_greater_than_zero
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", multiple_of(0)))
