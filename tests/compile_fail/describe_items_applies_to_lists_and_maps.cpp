// A string has no items to speak of.
// expect-error: function '[a-z_: ]*items_applies_to_lists_and_maps
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string image;
};
FLYBALL_DESCRIBE(Spec, (image, "A field.", items(min_length(1))))
