#include "flyball/net/descriptor.hpp"

#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include "flyball/base/thread.hpp"

namespace flyball::net {
namespace {

TEST(DescriptorTest, ClosesWithItsOwner) {
  DescriptorPair pipe = make_pipe();
  pipe.write = OwnedDescriptor();
  EXPECT_EQ(read_some(pipe.read.get()), "");
}

TEST(DescriptorTest, AWriteToAPipeNobodyReadsSaysSoAndRaisesNoSignal) {
  RealClock clock;
  DescriptorPair pipe = make_pipe();
  pipe.read.reset();
  EXPECT_FALSE(write_all(clock, pipe.write.get(), "x", {}));
}

TEST(DescriptorTest, WritesMoreThanFitsWhileSomebodyReads) {
  RealClock clock;
  DescriptorPair pipe = make_pipe();
  set_non_blocking(pipe.read.get());
  set_non_blocking(pipe.write.get());
  EXPECT_EQ(read_some(pipe.read.get()), std::nullopt);
  const std::string text(std::size_t{1} << 20U, 'a');
  Thread writer(clock, "writer", [&] {
    EXPECT_TRUE(write_all(clock, pipe.write.get(), text, {}));
    pipe.write.reset();
  });
  std::string got;
  DescriptorWait wait(clock);
  while (true) {
    std::vector<pollfd> fds{{.fd = pipe.read.get(), .events = POLLIN, .revents = 0}};
    wait.until_ready(fds, {});
    const auto piece = read_some(pipe.read.get());
    if (!piece) continue;
    if (piece->empty()) break;
    got += *piece;
  }
  EXPECT_EQ(got, text);
}

TEST(DescriptorTest, AWriteThatWaitsEndsAtTheStop) {
  RealClock clock;
  DescriptorPair pipe = make_pipe();
  set_non_blocking(pipe.write.get());
  StopSource source;
  Thread stopper(clock, "stopper", [&] { source.request_stop("enough"); });
  EXPECT_THROW(write_all(clock, pipe.write.get(), std::string(std::size_t{1} << 20U, 'a'), source.stop()), Stopped);
}

TEST(DescriptorTest, AWaitIsWoken) {
  RealClock clock;
  DescriptorWait wait(clock);
  Thread waker(clock, "waker", [&] { wait.wake(); });
  std::vector<pollfd> none;
  wait.until_ready(none, {});
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace flyball::net
