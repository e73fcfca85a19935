// std::vector<bool> has no elements to point at.
// expect-error: std::vector<bool> has no addressable elements
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::vector<bool> flags;
};
FLYBALL_DESCRIBE(Spec, (flags, "A field."))
