// The API server would refuse this pattern.
// expect-error: function '[a-z_: ]*pattern_repeats_nothing_or_too_often
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string image;
};
FLYBALL_DESCRIBE(Spec, (image, "A field.", pattern("^a{5,2}$")))
