// A std::optional says that the field may be left out.
// expect-error: function '[a-z_: ]*an_optional_cannot_be_required
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::optional<int32_t> size;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", required))
