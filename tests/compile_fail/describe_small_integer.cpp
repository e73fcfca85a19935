// Kubernetes knows integers of 32 and 64 bits.
// expect-error: this type has no description
#include "flyball/reflect/describe.hpp"

struct Spec {
  short size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field."))
