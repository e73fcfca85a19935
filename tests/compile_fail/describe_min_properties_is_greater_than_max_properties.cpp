// No map has at least 3 and at most 2 members.
// expect-error: function '[a-z_: ]*min_properties_is_greater_than_max_properties
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::map<std::string, std::string> labels;
};
FLYBALL_DESCRIBE(Spec, (labels, "A field.", min_properties(3), max_properties(2)))
