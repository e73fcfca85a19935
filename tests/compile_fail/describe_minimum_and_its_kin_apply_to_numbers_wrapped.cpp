// What a wrapped type says of itself is checked too.
// expect-error: function '[a-z_: ]*minimum_and_its_kin_apply_to_numbers
#include "flyball/reflect/describe.hpp"

struct Name {
  std::string value;
};
FLYBALL_WRAP(Name, value, maximum(100))
