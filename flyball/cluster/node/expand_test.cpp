#include "flyball/cluster/node/expand.hpp"

#include <gtest/gtest.h>

namespace flyball::cluster::node {
namespace {

const Variables kVariables{{"A", "1"}, {"B", "two"}, {"EMPTY", ""}};

TEST(Expand, KnownNamesAreReplacedAndUnknownOnesStay) {
  EXPECT_EQ(expand("--port=$(A)/$(B)$(EMPTY)", kVariables), "--port=1/two");
  EXPECT_EQ(expand("$(NOBODY) $(A)", kVariables), "$(NOBODY) 1");
}

TEST(Expand, TwoDollarsAreOne) {
  EXPECT_EQ(expand("$$(A)", kVariables), "$(A)");
  EXPECT_EQ(expand("$$$(A)", kVariables), "$1");
  EXPECT_EQ(expand("$$$$(A)", kVariables), "$$(A)");
}

TEST(Expand, WhatIsNoReferenceStaysAsItStands) {
  EXPECT_EQ(expand("$A ${A} $ $(A", kVariables), "$A ${A} $ $(A");
  EXPECT_EQ(expand("", kVariables), "");
  EXPECT_EQ(expand("100$", kVariables), "100$");
}

}  // namespace
}  // namespace flyball::cluster::node
