// Server-side apply knows three kinds of lists.
// expect-error: function '[a-z_: ]*list_type_must_be_atomic_set_or_map
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::vector<std::string> hosts;
};
FLYBALL_DESCRIBE(Spec, (hosts, "A field.", list_type("sorted")))
