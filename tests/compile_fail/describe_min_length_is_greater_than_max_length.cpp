// No string has at least 5 and at most 2 characters.
// expect-error: function '[a-z_: ]*min_length_is_greater_than_max_length
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string image;
};
FLYBALL_DESCRIBE(Spec, (image, "A field.", min_length(5), max_length(2)))
