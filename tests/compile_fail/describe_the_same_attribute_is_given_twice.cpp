// Which of the two is meant?
// expect-error: function '[a-z_: ]*the_same_attribute_is_given_twice
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 3;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", minimum(1), minimum(2)))
