// A field needs a name.
// expect-error: function '[a-z_: ]*json_name_is_empty
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", json_name("")))
