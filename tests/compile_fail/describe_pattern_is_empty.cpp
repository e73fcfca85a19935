// An empty pattern says nothing.
// expect-error: function '[a-z_: ]*pattern_is_empty
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string image;
};
FLYBALL_DESCRIBE(Spec, (image, "A field.", pattern("")))
