#include "flyball/apiserver/merge/reset_fields.hpp"

#include <gtest/gtest.h>

#include "flyball/apiserver/merge/fields_v1.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/kinds.hpp"

namespace flyball::apiserver::merge {
namespace {

std::string left(const FieldFilter& filter, std::string_view set) {
  return json::write(encode_fields(filter(decode_fields(json::parse(set)))), {.escape_html = false});
}

FieldFilter of(std::string_view api_version, std::string_view kind, std::string_view subresource) {
  return reset_fields(*kube::find_kind(api_version, kind), subresource);
}

constexpr std::string_view kAll = R"({"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:x":{}},"f:status":{"f:y":{}}})";

TEST(ResetFields, KeepTheStatusFromTheResourceAndTheSpecFromTheStatus) {
  EXPECT_EQ(left(of("apps/v1", "StatefulSet", ""), kAll),
            R"({"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:x":{}}})");
  EXPECT_EQ(left(of("apps/v1", "StatefulSet", "status"), kAll),
            R"({"f:metadata":{"f:labels":{"f:a":{}}},"f:status":{"f:y":{}}})");
  EXPECT_EQ(left(of("apps/v1", "Deployment", "status"), kAll), R"({"f:status":{"f:y":{}}})");
  EXPECT_EQ(left(of("apiextensions.k8s.io/v1", "CustomResourceDefinition", "status"), kAll),
            R"({"f:status":{"f:y":{}}})");
  EXPECT_EQ(left(of("v1", "ConfigMap", ""), kAll), kAll);
  EXPECT_EQ(left(of("apps/v1", "Deployment", "scale"), kAll), kAll);
}

TEST(ResetFields, OfACustomResourceDependOnItsSubresource) {
  EXPECT_EQ(left(reset_fields_of_custom(false, ""), kAll), kAll);
  EXPECT_EQ(left(reset_fields_of_custom(true, ""), kAll),
            R"({"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:x":{}}})");
  EXPECT_EQ(left(reset_fields_of_custom(true, "status"), kAll), R"({"f:status":{"f:y":{}}})");
}

TEST(ResetFields, LetTheDoorsOfAPodOwnWhateverIsSentThere) {
  EXPECT_EQ(left(of("v1", "Pod", "resize"), kAll), kAll);
  EXPECT_EQ(left(of("v1", "Pod", "ephemeralcontainers"), kAll), kAll);
}

}  // namespace
}  // namespace flyball::apiserver::merge
