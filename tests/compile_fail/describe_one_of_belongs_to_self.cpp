// It speaks of the struct's fields, so the struct says it.
// expect-error: function '[a-z_: ]*one_of_belongs_to_self
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::optional<int32_t> size;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", at_least_one_of("size", "share")))
