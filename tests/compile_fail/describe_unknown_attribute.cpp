// An attribute with a spelling mistake.
// expect-error: 'minimun' was not declared in this scope|undeclared identifier 'minimun'
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", minimun(1)))
