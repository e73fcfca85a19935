// An int32_t cannot hold null.
// expect-error: function '[a-z_: ]*nullable_applies_to_optional_and_box
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", nullable))
