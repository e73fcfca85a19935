// A rule without an expression.
// expect-error: function '[a-z_: ]*rule_is_empty
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", rule("")))
