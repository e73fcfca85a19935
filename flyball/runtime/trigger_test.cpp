#include "flyball/runtime/trigger.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::runtime {
namespace {

using ::testing::ElementsAre;

struct TriggerTest : ::testing::Test {
  std::shared_ptr<detail::TriggerState> state = std::make_shared<detail::TriggerState>();
  Trigger trigger{state};
  std::vector<std::string> heard;

  void listen() {
    state->connect([this](const kube::ObjectKey& object, const std::string& reason) {
      heard.push_back(object.to_string() + " " + reason);
    });
  }
};

TEST_F(TriggerTest, WhatIsFiredGoesToWhoListens) {
  listen();
  trigger.fire({"shop", "web"}, "alarm");
  const Trigger copy = trigger;
  copy.fire({"shop", "db"});
  EXPECT_THAT(heard, ElementsAre("shop/web alarm", "shop/db triggered"));
}

TEST_F(TriggerTest, WhatIsFiredWhileNobodyListensWaits) {
  trigger.fire({"shop", "web"}, "early");
  listen();
  EXPECT_THAT(heard, ElementsAre("shop/web early"));
  state->connect({});
  trigger.fire({"shop", "web"}, "between two runs");
  EXPECT_THAT(heard, ElementsAre("shop/web early"));
  heard.clear();
  listen();
  EXPECT_THAT(heard, ElementsAre("shop/web between two runs")) << "and only once";
}

}  // namespace
}  // namespace flyball::runtime
