#include "flyball/json/value.hpp"

#include <gtest/gtest.h>

#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

TEST(ValueTest, ReadsWhatWasBuilt) {
  const Value pod = object({{"name", "web"}, {"ports", array({80, 443})}, {"ready", true}, {"node", nullptr}});
  EXPECT_EQ(pod["name"].as_string(), "web");
  EXPECT_EQ(pod["ports"][1].as_int(), 443);
  EXPECT_TRUE(pod["ready"].as_bool());
  EXPECT_TRUE(pod["node"].is_null());
  EXPECT_FALSE(pod["absent"]["deeper"].exists());
  EXPECT_EQ(write(pod), R"({"name":"web","ports":[80,443],"ready":true,"node":null})");
}

}  // namespace
}  // namespace flyball::json
