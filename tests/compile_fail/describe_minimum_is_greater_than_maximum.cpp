// No number is at least 10 and at most 1.
// expect-error: function '[a-z_: ]*minimum_is_greater_than_maximum
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 2;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", minimum(10), maximum(1)))
