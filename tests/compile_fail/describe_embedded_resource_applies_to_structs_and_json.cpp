// A string is no Kubernetes object.
// expect-error: function '[a-z_: ]*embedded_resource_applies_to_structs_and_json
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string image;
};
FLYBALL_DESCRIBE(Spec, (image, "A field.", embedded_resource))
