// A list has no members to put into the object.
// expect-error: function '[a-z_: ]*inlined_applies_to_structs
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::vector<std::string> hosts;
};
FLYBALL_DESCRIBE(Spec, (hosts, "A field.", inlined))
