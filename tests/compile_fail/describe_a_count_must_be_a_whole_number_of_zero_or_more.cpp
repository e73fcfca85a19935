// Nothing has fewer than no characters.
// expect-error: function '[a-z_: ]*a_count_must_be_a_whole_number_of_zero_or_more
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string image;
};
FLYBALL_DESCRIBE(Spec, (image, "A field.", max_length(-1)))
