// The API server would refuse this pattern.
// expect-error: function '[a-z_: ]*pattern_has_unbalanced_brackets
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string image;
};
FLYBALL_DESCRIBE(Spec, (image, "A field.", pattern("^(a|b$")))
