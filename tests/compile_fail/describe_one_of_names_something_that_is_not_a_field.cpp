// A name with a spelling mistake.
// expect-error: function '[a-z_: ]*one_of_names_something_that_is_not_a_field
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::optional<int32_t> size;
  std::optional<int32_t> share;
};
FLYBALL_DESCRIBE(Spec, (self, exactly_one_of("size", "shares")), (size, "One."), (share, "The other."))
