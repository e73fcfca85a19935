// One of one is no choice.
// expect-error: function '[a-z_: ]*one_of_needs_at_least_two_names
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::optional<int32_t> size;
};
FLYBALL_DESCRIBE(Spec, (self, at_most_one_of("size")), (size, "One."))
