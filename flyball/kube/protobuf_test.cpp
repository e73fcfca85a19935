#include "flyball/kube/protobuf.hpp"

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/authentication/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/protobuf_json.hpp"
#include "flyball/kube/resource/v1.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::kube {
namespace {

using namespace std::string_view_literals;

template <class T>
std::string message_of(const T& value) {
  return encode_message(reflect::type_of<T>(), &value);
}

template <class T>
T from_message(std::string_view bytes) {
  T value{};
  decode_message(bytes, reflect::type_of<T>(), &value);
  return value;
}

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ProtobufTest, AKindGoesThereAndBack) {
  // [snippet: protobuf]
  const core::v1::ConfigMap map{.metadata = {.name = "settings"}, .data = {{"mode", "fast"}}};
  const std::string bytes = to_protobuf(map);
  const auto again = from_protobuf<core::v1::ConfigMap>(bytes);
  const Metadata meta = metadata_of(bytes);  // reads nothing but the metadata
  const json::Value value = protobuf_to_json(bytes);
  // [end]
  EXPECT_EQ(again, map);
  EXPECT_EQ(meta.name, "settings");
  EXPECT_EQ(value["data"]["mode"].as_string(), "fast");
}

TEST(ProtobufTest, AListHasTheRoomItNeedsAndMayComeInParts) {
  const std::string three = message_of(core::v1::Container{.args = {"a", "b", "c"}, .env = {{.name = "x"}}});
  const auto container = from_message<core::v1::Container>(three);
  EXPECT_EQ(container.args, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(container.args.capacity(), 3U);
  const auto twice = from_message<core::v1::Container>(three + three);
  EXPECT_EQ(twice.args, (std::vector<std::string>{"a", "b", "c", "a", "b", "c"}));
  EXPECT_EQ(twice.env.size(), 2U);
}

TEST(ProtobufTest, ValueFieldsAreWrittenAlsoWhenZeroAndPointersOnlyWhenSet) {
  const core::v1::ContainerPort port{.name = "http", .containerPort = 80};
  EXPECT_EQ(message_of(port), "\x0a\x04http\x10\x00\x18\x50\x22\x00\x2a\x00"sv);
  EXPECT_EQ(message_of(core::v1::PodDNSConfigOption{.name = "a"}),
            "\x0a\x01"
            "a"sv);
  EXPECT_EQ(message_of(core::v1::PodDNSConfigOption{.name = "a", .value = ""}),
            "\x0a\x01"
            "a\x12\x00"sv);
  EXPECT_EQ(from_message<core::v1::ContainerPort>(message_of(port)), port);
}

TEST(ProtobufTest, NegativeNumbersTakeTenBytes) {
  const core::v1::ContainerPort port{.containerPort = -1};
  const std::string bytes = message_of(port);
  EXPECT_EQ(bytes, "\x0a\x00\x10\x00\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x22\x00\x2a\x00"sv);
  EXPECT_EQ(from_message<core::v1::ContainerPort>(bytes).containerPort, -1);
}

TEST(ProtobufTest, MapsAreEntriesInTheOrderOfTheirKeys) {
  const meta::v1::LabelSelector selector{.matchLabels = {{"b", "2"}, {"a", ""}}};
  const std::string bytes = message_of(selector);
  EXPECT_EQ(bytes,
            "\x0a\x05\x0a\x01"
            "a\x12\x00\x0a\x06\x0a\x01"
            "b\x12\x01"
            "2"sv);
  EXPECT_EQ(from_message<meta::v1::LabelSelector>(bytes), selector);
}

TEST(ProtobufTest, InlinedStructsAreMessagesOfTheirOwn) {
  const core::v1::Volume volume{.name = "v", .emptyDir = {{.medium = "Memory"}}};
  const std::string bytes = message_of(volume);
  EXPECT_EQ(bytes, "\x0a\x01v\x12\x0a\x12\x08\x0a\x06Memory"sv);
  EXPECT_EQ(from_message<core::v1::Volume>(bytes), volume);
}

TEST(ProtobufTest, WordsOfKubernetesHaveTheirOwnForms) {
  const core::v1::ServicePort number{.port = 1, .targetPort = 80};
  EXPECT_EQ(from_message<core::v1::ServicePort>(message_of(number)), number);
  const core::v1::ServicePort word{.port = 1, .targetPort = "http"};
  EXPECT_EQ(from_message<core::v1::ServicePort>(message_of(word)), word);

  const meta::v1::ObjectMeta dated{.name = "a", .creationTimestamp = Time::from_unix(1)};
  EXPECT_EQ(from_message<meta::v1::ObjectMeta>(message_of(dated)), dated);
  EXPECT_TRUE(from_message<meta::v1::ObjectMeta>(message_of(meta::v1::ObjectMeta{})).creationTimestamp.is_zero());

  const authentication::v1::UserInfo user{.username = "ann", .extra = {{"scopes", {"a", "b"}}}};
  EXPECT_EQ(message_of(user).substr(7),
            "\x22\x10\x0a\x06scopes\x12\x06\x0a\x01"
            "a\x0a\x01"
            "b"sv);
  EXPECT_EQ(from_message<authentication::v1::UserInfo>(message_of(user)), user);

  const resource::v1::DeviceAttribute flags{.bools = {true, false}};
  EXPECT_EQ(from_message<resource::v1::DeviceAttribute>(message_of(flags)), flags);
}

TEST(ProtobufTest, ManagedFieldsKeepTheirBytesAndAreCheckedBeforeTheyBecomeJson) {
  const std::string_view spaced = "\x3a\x0b\x0a\x09{ \"a\":1 }"sv;
  const auto entry = from_message<meta::v1::ManagedFieldsEntry>(spaced);
  EXPECT_EQ(entry.fieldsV1.text(), "{ \"a\":1 }");
  EXPECT_EQ(entry.fieldsV1.value()["a"].as_int(), 1);
  EXPECT_NE(message_of(entry).find(spaced), std::string::npos);
  const auto damaged = from_message<meta::v1::ManagedFieldsEntry>("\x3a\x03\x0a\x01{"sv);
  EXPECT_THROW(reflect::encode(damaged), InputError);
}

TEST(ProtobufTest, PackedListsAreReadToo) {
  // supplementalGroups is field 4 of PodSecurityContext.
  EXPECT_EQ(from_message<core::v1::PodSecurityContext>("\x22\x03\x01\x02\x03"sv).supplementalGroups,
            (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(from_message<core::v1::PodSecurityContext>("\x20\x01\x20\x02"sv).supplementalGroups,
            (std::vector<std::int64_t>{1, 2}));
}

TEST(ProtobufTest, TheEnvelopeCarriesTheKind) {
  const core::v1::ConfigMap map{.metadata = {.name = "a"}};
  const std::string bytes = to_protobuf(map);
  EXPECT_TRUE(is_protobuf(bytes));
  EXPECT_EQ(bytes.substr(0, 21),
            "k8s\0\x0a\x0f\x0a\x02v1\x12\x09"
            "ConfigMap"sv.substr(0, 21));
  const Envelope envelope = open_envelope(bytes);
  EXPECT_EQ(envelope.api_version, "v1");
  EXPECT_EQ(envelope.kind, "ConfigMap");
  EXPECT_EQ(seal_envelope(envelope), bytes);
  EXPECT_EQ(from_protobuf<core::v1::ConfigMap>(bytes), map);
  EXPECT_EQ(error_of([&] { from_protobuf<core::v1::Pod>(bytes); }),
            "the protobuf envelope: expected v1 Pod, found v1 ConfigMap");
}

TEST(ProtobufTest, DamageIsReportedWithItsPath) {
  EXPECT_EQ(error_of([] { from_message<core::v1::ContainerPort>("\x0a\x04ht"sv); }),
            "the protobuf message is cut off or damaged");
  EXPECT_EQ(error_of([] { from_message<core::v1::Pod>("\x0a\x02\x0a\x04"sv); }),
            "metadata: the protobuf message is cut off or damaged");
  EXPECT_EQ(error_of([] { from_message<core::v1::ContainerPort>("\x08\x01"sv); }),
            "name: has a wire type that is not the field's");
  EXPECT_EQ(error_of([] { open_envelope("{}"); }),
            "the protobuf envelope: expected the bytes k8s\\0, found something else");
}

TEST(ProtobufTest, FieldsOfANewerReleaseArePassedOverByStructsAndKeptByDynamicValues) {
  // Known: name. Unknown: 99 as a number, 100 as bytes.
  const std::string_view bytes =
      "\x0a\x01"
      "a\x10\x00\x18\x00\x22\x00\x2a\x00\x98\x06\x07\xa2\x06\x02xy"sv;
  EXPECT_EQ(from_message<core::v1::ContainerPort>(bytes).name, "a");
  const auto& type = reflect::type_of<core::v1::ContainerPort>();
  const json::Value value = message_to_json(bytes, type);
  EXPECT_EQ(value["$protobuf"].as_string(), "mAYHogYCeHk=");
  EXPECT_EQ(json_to_message(value, type), bytes);
  EXPECT_FALSE(message_to_json(bytes, type, {.keep_unknown = false}).contains("$protobuf"));
}

TEST(ProtobufTest, UnknownFieldsOfAnInlinedStructSurviveAsASecondMessage) {
  // Volume.name, then its source with a field 98 that nobody knows.
  const std::string_view bytes = "\x0a\x01v\x12\x03\x90\x06\x05"sv;
  const auto& type = reflect::type_of<core::v1::Volume>();
  const json::Value value = message_to_json(bytes, type);
  const std::string again = json_to_message(value, type);
  EXPECT_EQ(again, "\x0a\x01v\x12\x00\x12\x03\x90\x06\x05"sv);
  EXPECT_EQ(message_to_json(again, type), value);
}

TEST(ProtobufTest, DynamicJsonIsWhatGoWrites) {
  const auto& type = reflect::type_of<core::v1::Pod>();
  EXPECT_EQ(message_to_json("", type), json::parse(R"({"metadata":{},"spec":{"containers":null},"status":{}})"));
  EXPECT_EQ(message_to_json("", reflect::type_of<meta::v1::Condition>()),
            json::parse(R"({"type":"","status":"","lastTransitionTime":null,"reason":"","message":""})"));
}

TEST(ProtobufTest, AWatchEventMayHoldAnObjectInItsOwnEnvelope) {
  const std::string map = to_protobuf(core::v1::ConfigMap{.metadata = {.name = "a"}});
  const std::string inner = "\x0a" + std::string(1, static_cast<char>(map.size())) + map;
  const std::string event =
      "\x0a\x05"
      "ADDED\x12" +
      std::string(1, static_cast<char>(inner.size())) + inner;
  const json::Value value = message_to_json(event, reflect::type_of<meta::v1::WatchEvent>());
  EXPECT_EQ(value["object"]["metadata"]["name"].as_string(), "a");
  EXPECT_EQ(value["object"]["kind"].as_string(), "ConfigMap");
}

TEST(ProtobufTest, WrongJsonIsReportedWithItsPath) {
  const auto protobuf_of = [](std::string_view text) {
    return error_of([&] { json_to_protobuf(json::parse(text), {.strict = true}); });
  };
  EXPECT_EQ(protobuf_of(R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":7}]}})"),
            "spec.containers.name: expected a string, found the integer 7");
  EXPECT_EQ(protobuf_of(R"({"apiVersion":"v1","kind":"Pod","spek":{}})"), "unknown field \"spek\"");
  EXPECT_EQ(protobuf_of(R"({"apiVersion":"example.com/v1","kind":"Memcached"})"),
            "kind: expected the apiVersion and kind of a built-in kind, found example.com/v1 Memcached");
  EXPECT_EQ(protobuf_of(R"({"apiVersion":"v1","kind":"Pod","spec":{"terminationGracePeriodSeconds":1.5}})"),
            "spec.terminationGracePeriodSeconds: expected a 64-bit integer, found the number 1.5");
}

}  // namespace
}  // namespace flyball::kube
