#include "flyball/kube/names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::kube::names {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NamesTest, SayWhatIsWrongInKubernetesOwnWords) {
  // [snippet: names]
  EXPECT_TRUE(dns1123_label("my-app").empty());
  EXPECT_THAT(dns1123_label("my.app"), ElementsAre("must not contain dots"));
  EXPECT_THAT(port_name("8080"), ElementsAre("must contain at least one letter (a-z)"));
  EXPECT_THAT(port_number(70000), ElementsAre("must be between 1 and 65535, inclusive"));
  // [end]
}

TEST(NamesTest, EveryMistakeIsNamedNotOnlyTheFirst) {
  EXPECT_THAT(port_name("-way--too-long-name-"),
              ElementsAre("must be no more than 15 characters", "must not contain consecutive hyphens",
                          "must not begin or end with a hyphen"));
}

TEST(NamesTest, APrefixForGeneratedNamesMayEndWithADash) {
  EXPECT_FALSE(dns1123_subdomain("web-").empty());
  EXPECT_THAT(dns1123_subdomain(mask_trailing_dash("web-")), IsEmpty());
  EXPECT_EQ(mask_trailing_dash("-"), "-");
}

TEST(NamesTest, AnnotationsCountKeysAndValuesTogether) {
  EXPECT_THAT(annotations_size({{"k", std::string(kAnnotationsLimit - 1, 'v')}}), IsEmpty());
  EXPECT_THAT(annotations_size({{"k", std::string(kAnnotationsLimit - 2, 'v')}, {"x", "y"}}),
              ElementsAre("may not be more than 262144 bytes"));
}

TEST(NamesTest, AnAddressHasOneForm) {
  EXPECT_THAT(ip("2001:db8::1"), IsEmpty());
  EXPECT_THAT(ip("2001:DB8:0::1"), ElementsAre("must be in canonical form (\"2001:db8::1\")"));
  EXPECT_THAT(ip_in_old_field("2001:DB8:0::1"), IsEmpty());
  EXPECT_THAT(ip("010.0.0.1"), ElementsAre("must not have leading 0s"));
}

}  // namespace
}  // namespace flyball::kube::names
