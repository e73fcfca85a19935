// A string has no minimum; it has a min_length.
// expect-error: function '[a-z_: ]*minimum_and_its_kin_apply_to_numbers
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string image;
};
FLYBALL_DESCRIBE(Spec, (image, "A field.", minimum(1)))
