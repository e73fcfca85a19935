// The field that holds it is required, or not.
// expect-error: function '[a-z_: ]*this_attribute_belongs_to_a_field_and_not_to_a_wrapped_type
#include "flyball/reflect/describe.hpp"

struct Percent {
  int32_t value = 0;
};
FLYBALL_WRAP(Percent, value, required)
