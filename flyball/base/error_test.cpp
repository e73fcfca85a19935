#include "flyball/base/error.hpp"

#include <gtest/gtest.h>

namespace flyball {
namespace {

TEST(InputError, SaysWhereAndWhat) {
  // [snippet: input-error]
  const InputError error({3, 7}, "spec.size", "\"three\" is not a number; expected an integer from 1 to 10");
  EXPECT_STREQ(error.what(),
               "line 3, column 7: spec.size: \"three\" is not a number; expected an integer from 1 to 10");
  // [end]
  EXPECT_EQ(error.position(), (Position{3, 7}));
  EXPECT_EQ(error.path(), "spec.size");
}

TEST(InputError, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(InputError({}, "spec", "missing").what(), "spec: missing");
  EXPECT_STREQ(InputError({}, "", "empty document").what(), "empty document");
  EXPECT_STREQ(InputError({1, 2}, "", "stray comma").what(), "line 1, column 2: stray comma");
}

}  // namespace
}  // namespace flyball
