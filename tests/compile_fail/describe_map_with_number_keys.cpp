// The keys of a JSON object are strings.
// expect-error: this type has no description
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::map<int, std::string> names;
};
FLYBALL_DESCRIBE(Spec, (names, "A field."))
