// The API server would refuse this reason.
// expect-error: function '[a-z_: ]*rule_reason_is_not_one_of_the_four_kubernetes_knows
#include "flyball/reflect/describe.hpp"

struct Spec {
  int32_t size = 1;
};
FLYBALL_DESCRIBE(Spec, (size, "A field.", rule("self > 0", {.reason = "TooSmall"})))
