// A string has no items.
// expect-error: function '[a-z_: ]*min_items_and_its_kin_apply_to_lists
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string image;
};
FLYBALL_DESCRIBE(Spec, (image, "A field.", min_items(1)))
