// std::monostate as the first alternative is what an empty one is.
// expect-error: function '[a-z_: ]*a_variant_must_be_a_field_itself_with_monostate_for_none
#include "flyball/reflect/describe.hpp"

struct Port {
  std::string name;
};
FLYBALL_DESCRIBE(Port, (name, "What it is called."))

struct Spec {
  std::optional<std::variant<Port>> port;
};
FLYBALL_DESCRIBE(Spec, (port, "A field.", alternatives("port")))
