#include "flyball/kube/protobuf_list.hpp"

#include <string>

#include <gtest/gtest.h>

#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"

namespace flyball::kube {
namespace {

core::v1::ConfigMapList three() {
  return {.metadata = {.resourceVersion = "7", .continue_ = "more"},
          .items = {{.metadata = {.name = "a"}}, {.metadata = {.name = "b"}}, {.metadata = {.name = "c"}}}};
}

TEST(ProtobufList, GivesMetadataAndEachItemWithoutDecodingTheRest) {
  const std::string body = to_protobuf(three());
  ListMessage list(open_envelope(body).object);
  EXPECT_EQ(list.metadata().resourceVersion, "7");
  EXPECT_EQ(list.metadata().continue_, "more");
  std::string names;
  while (const auto item = list.next()) {
    core::v1::ConfigMap map;
    decode_message(*item, reflect::type_of<core::v1::ConfigMap>(), &map);
    names += map.metadata.name;
  }
  EXPECT_EQ(names, "abc");
}

TEST(ProtobufList, FindsMetadataThatStandsBehindTheItems) {
  // An item without content, then metadata with resourceVersion "9".
  const std::string message("\x12\x00\x0a\x03\x12\x01\x39", 7);
  ListMessage list(message);
  EXPECT_EQ(list.metadata().resourceVersion, "9");
  EXPECT_TRUE(list.next().has_value());
  EXPECT_FALSE(list.next().has_value());
}

TEST(ProtobufList, RefusesAListThatIsCutOff) {
  const core::v1::ConfigMapList whole = three();
  const std::string message = encode_message(reflect::type_of<core::v1::ConfigMapList>(), &whole);
  ListMessage list(std::string_view(message).substr(0, message.size() - 1));
  EXPECT_TRUE(list.next().has_value());
  EXPECT_TRUE(list.next().has_value());
  EXPECT_THROW(list.next(), InputError);
}

TEST(ProtobufList, AnEmptyListHasNoItems) {
  ListMessage list({});
  EXPECT_FALSE(list.next().has_value());
}

}  // namespace
}  // namespace flyball::kube
