// Both would be "class" on the wire.
// expect-error: function '[a-z_: ]*two_fields_have_the_same_name
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string class_;
  std::string kind;
};
FLYBALL_DESCRIBE(Spec, (class_, "One."), (kind, "Another.", json_name("class")))
