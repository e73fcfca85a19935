// One of the two must go.
// expect-error: function '[a-z_: ]*a_field_cannot_be_both_required_and_optional
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", required, optional))
