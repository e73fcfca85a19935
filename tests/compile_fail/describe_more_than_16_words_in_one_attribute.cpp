// An enum can have any number of values; this list cannot.
// expect-error: function '[a-z_: ]*more_than_16_words_in_one_attribute
#include "flyball/reflect/describe.hpp"

struct Spec {
  std::string letter;
};
FLYBALL_DESCRIBE(Spec, (letter, "A field.",
                        allowed("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q")))
