// The direct way to Go's JSON against the long one, for random objects of every built-in kind.
#include "flyball/kube/go_json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/base/error.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/detail/arbitrary_for_test.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"
#include "flyball/reflect/object.hpp"

namespace flyball::kube {
namespace {

std::string by_way_of_protobuf(const reflect::Type& type, const void* value) {
  json::Builder to;
  to.begin_object();
  to.key("apiVersion").string(type.kind->api_version);
  to.key("kind").string(type.kind->kind);
  const json::Value members = message_to_json(encode_message(type, value), type);
  for (const auto [key, part] : members.entries()) to.key(key).value(part);
  to.end();
  return json::write(to.finish());
}

template <class T>
std::string go_json(const T& value) {
  return to_go_json(reflect::type_of<T>(), &value);
}

TEST(GoJsonTest, IsWhatTheWayThroughProtobufSaysForAnyObjectOfAnyKind) {
  EXPECT_TRUE(rc::check("to_go_json(x) == json(protobuf(x))", [](std::uint64_t seed) {
    for (const reflect::TypeRef type : all_kinds()) {
      if (type().proto == nullptr) continue;
      RC_LOG() << type().kind->api_version << " " << type().kind->kind << "\n";
      reflect::Object object(type());
      Arbitrary(seed).fill(type(), object.get());
      RC_ASSERT(to_go_json(type(), object.get()) == by_way_of_protobuf(type(), object.get()));
    }
  }));
}

TEST(GoJsonTest, AnEmptyObjectSaysWhatGoSaysOfIt) {
  for (const reflect::TypeRef type : all_kinds()) {
    if (type().proto == nullptr) continue;
    const reflect::Object object(type());
    EXPECT_EQ(to_go_json(type(), object.get()), by_way_of_protobuf(type(), object.get()));
  }
  EXPECT_EQ(go_json(core::v1::Pod{.metadata = {.name = "web"}}),
            R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":null},"status":{}})");
}

TEST(GoJsonTest, FieldsThatWereWrittenAnotherWayAreWrittenOurs) {
  core::v1::Pod pod;
  pod.metadata.managedFields.emplace_back().fieldsV1 =
      RawJson::unchecked("{ \"f:a<\" : {\"f:\\u0041\":{}},\n\"k:{\\\"x\\\":1}\":{} }");
  EXPECT_EQ(go_json(pod), by_way_of_protobuf(reflect::type_of<core::v1::Pod>(), &pod));
}

TEST(GoJsonTest, FieldsThatAreNoJsonAreRefusedWithTheirPath) {
  core::v1::Pod pod;
  pod.metadata.managedFields.emplace_back().fieldsV1 = RawJson::unchecked("{\"f:a\":}");
  try {
    go_json(pod);
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.path(), "metadata.managedFields.fieldsV1");
  }
}

}  // namespace
}  // namespace flyball::kube
