// An enum needs its names on the wire.
// expect-error: this type has no description: write FLYBALL_DESCRIBE, FLYBALL_ENUM
#include "flyball/reflect/describe.hpp"

enum class Mode { on, off };

struct Spec {
  Mode mode = Mode::on;
};
FLYBALL_DESCRIBE(Spec, (mode, "A field."))
