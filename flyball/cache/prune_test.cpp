#include "flyball/cache/prune.hpp"

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"

namespace flyball::cache {
namespace {

namespace core = kube::core::v1;
using client::Format;

std::string pruned(std::string_view text) {
  std::string buffer;
  return std::string(without_managed_fields(text, Format::json, buffer));
}

TEST(Prune, leaves_managed_fields_out_of_json_wherever_they_stand) {
  EXPECT_EQ(pruned(R"({"metadata":{"managedFields":[{"a":1}],"name":"x"},"z":1})"),
            R"({"metadata":{"name":"x"},"z":1})");
  EXPECT_EQ(pruned(R"({"metadata":{"name":"x","managedFields":[{"a":1}]},"z":1})"),
            R"({"metadata":{"name":"x"},"z":1})");
  EXPECT_EQ(pruned(R"({"metadata":{"a":1 , "managedFields" : [] , "b":2}})"), R"({"metadata":{"a":1 , "b":2}})");
  EXPECT_EQ(pruned(R"({"kind":"A","metadata":{ "managedFields":null }})"), R"({"kind":"A","metadata":{ }})");
}

TEST(Prune, json_without_managed_fields_stays_as_it_is) {
  const std::string text = R"({"data":{"managedFields":[1]},"metadata":{"name":"x"}})";
  std::string buffer;
  EXPECT_EQ(without_managed_fields(text, Format::json, buffer).data(), text.data());
}

TEST(Prune, leaves_managed_fields_out_of_protobuf_and_nothing_else) {
  core::Pod pod;
  pod.metadata.name = "web";
  pod.metadata.annotations = {{"note", std::string(300, 'x')}};
  pod.metadata.managedFields = {{.manager = "kubectl", .operation = "Update"}};
  pod.spec.nodeName = "node-1";
  const std::string bytes = kube::encode_message(reflect::type_of<core::Pod>(), &pod);
  pod.metadata.managedFields.clear();
  const std::string expected = kube::encode_message(reflect::type_of<core::Pod>(), &pod);
  std::string buffer;
  EXPECT_EQ(without_managed_fields(bytes, Format::protobuf, buffer), expected);
  std::string again;
  EXPECT_EQ(without_managed_fields(expected, Format::protobuf, again).data(), expected.data());
}

TEST(Prune, damaged_bytes_are_an_error) {
  std::string buffer;
  EXPECT_THROW(without_managed_fields("\x0a\x7f", Format::protobuf, buffer), InputError);
  EXPECT_THROW(without_managed_fields("{\"metadata\":{\"managedFields\":", Format::json, buffer), InputError);
}

}  // namespace
}  // namespace flyball::cache
