// A struct inside must be described too.
// expect-error: this type has no description: write FLYBALL_DESCRIBE
#include "flyball/reflect/describe.hpp"

struct Port {
  std::string name;
};

struct Spec {
  Port port;
};
FLYBALL_DESCRIBE(Spec, (port, "A field."))
