// An enumerator with a spelling mistake.
// expect-error: 'offf' is not a member of 'Mode'|no member named 'offf' in 'Mode'
#include "flyball/reflect/describe.hpp"

enum class Mode { on, off };
FLYBALL_ENUM(Mode, (on, "On"), (offf, "Off"))
