// A field with a spelling mistake.
// expect-error: 'sise' is not a member of 'Spec'|no member named 'sise' in 'Spec'
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (sise, "A field."))
