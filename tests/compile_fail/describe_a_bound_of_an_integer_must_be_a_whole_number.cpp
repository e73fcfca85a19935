// No integer is 1.5.
// expect-error: function '[a-z_: ]*a_bound_of_an_integer_must_be_a_whole_number
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 2;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", minimum(1.5)))
