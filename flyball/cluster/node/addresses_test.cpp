#include "flyball/cluster/node/addresses.hpp"

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::cluster::node {
namespace {

TEST(Addresses, BeginBehindTheGatewayAndAreNotGivenTwice) {
  Addresses addresses("10.244.0.0", 24);
  EXPECT_EQ(addresses.gateway(), "10.244.0.1");
  EXPECT_EQ(address_text(addresses.take()), "10.244.0.2");
  const std::uint32_t second = addresses.take();
  EXPECT_EQ(address_text(second), "10.244.0.3");
  addresses.give_back(second);
  EXPECT_EQ(address_text(addresses.take()), "10.244.0.4") << "one that was given back comes last";
}

TEST(Addresses, RunOutAndComeBack) {
  Addresses addresses("10.0.0.0", 29);
  std::uint32_t last = 0;
  for (int i = 0; i < 5; ++i) last = addresses.take();
  EXPECT_EQ(address_text(last), "10.0.0.6");
  EXPECT_THROW(addresses.take(), Error);
  addresses.give_back(last - 2);
  EXPECT_EQ(addresses.take(), last - 2);
}

}  // namespace
}  // namespace flyball::cluster::node
