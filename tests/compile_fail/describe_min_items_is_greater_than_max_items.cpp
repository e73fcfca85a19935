// No list has at least 3 and at most 2 items.
// expect-error: function '[a-z_: ]*min_items_is_greater_than_max_items
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::vector<std::string> hosts;
};
FLYBALL_DESCRIBE(Spec, (hosts, "A field.", min_items(3), max_items(2)))
