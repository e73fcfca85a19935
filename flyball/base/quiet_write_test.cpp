#include "flyball/base/quiet_write.hpp"

#include <array>
#include <cerrno>

#include <gtest/gtest.h>
#include <unistd.h>

namespace flyball {
namespace {

// With SIGPIPE as it comes, this program would end here.
TEST(QuietWrite, APipeThatNobodyReadsIsAnErrorAndNoSignal) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  EXPECT_EQ(write_quietly(ends[1], "heard"), 5);
  ::close(ends[0]);
  EXPECT_EQ(write_quietly(ends[1], "not heard"), -1);
  EXPECT_EQ(errno, EPIPE);
  ::close(ends[1]);
}

}  // namespace
}  // namespace flyball
