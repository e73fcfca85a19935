// The API server would refuse this pattern.
// expect-error: function '[a-z_: ]*pattern_looks_around_or_back_which_kubernetes_does_not_know
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string image;
};
FLYBALL_DESCRIBE(Spec, (image, "A field.", pattern("^(?!kube-).*$")))
