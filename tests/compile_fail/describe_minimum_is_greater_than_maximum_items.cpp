// What is said of items is checked as what is said of fields.
// expect-error: function '[a-z_: ]*minimum_is_greater_than_maximum
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::vector<int32_t> sizes;
};
FLYBALL_DESCRIBE(Spec, (sizes, "A field.", items(minimum(10), exclusive_maximum(1))))
