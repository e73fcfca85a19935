#include "bar_for_test.hpp"

namespace {

using ::testing::IsEmpty;

constexpr std::string_view kSample =
    "{apiVersion: foo.abc.com/v1, kind: Bar, metadata: {name: bar-sample}, spec: {foo: bar}}";

TEST(BarOperator, SaysWhatTheBarSays) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  EXPECT_EQ(env.get<core::ConfigMap>("bar-sample").data.at("foo"), "bar");
  EXPECT_EQ(env.get<Bar>("bar-sample").status.configMap, "bar-sample");
  EXPECT_THAT(env.writes_of_a_second_pass(), IsEmpty());
}

TEST(BarOperator, NamesTheObjectInItsLog) {
  TestEnvironment env(setup);
  env.apply(kSample);
  env.settle();
  EXPECT_THAT(env.take_log(), ::testing::HasSubstr("reconciling controller=bar object=default/bar-sample"));
}

TEST(BarOperator, IsNamedAsTheSeedNamesIt) {
  TestEnvironment env(setup);
  EXPECT_EQ(env.op().definitions().at(0)["metadata"]["name"].as_string(), "bars.foo.abc.com");
}

}  // namespace
