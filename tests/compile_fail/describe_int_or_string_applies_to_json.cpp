// A number is never a string.
// expect-error: function '[a-z_: ]*int_or_string_applies_to_json
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", int_or_string))
