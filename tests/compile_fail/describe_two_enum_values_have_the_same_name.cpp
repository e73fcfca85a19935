// Both would be "On" on the wire.
// expect-error: function '[a-z_: ]*two_enum_values_have_the_same_name
#include "flyball/reflect/describe.hpp"

enum class Mode { on, off };
FLYBALL_ENUM(Mode, (on, "On"), (off, "On"))
