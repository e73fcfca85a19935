#include "flyball/client/watch_decoder.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"

namespace flyball::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string json_event(std::string_view type, std::string_view name, std::string_view version) {
  return R"({"type":")" + std::string(type) +
         R"(","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + std::string(name) +
         R"(","namespace":"shop","resourceVersion":")" + std::string(version) + "\"}}}\n";
}

std::string protobuf_event(std::string_view type, const std::string& name, const std::string& version) {
  return kube::make_watch_frame(type,
                                kube::to_protobuf(kube::core::v1::ConfigMap{
                                    .metadata = {.name = name, .namespace_ = "shop", .resourceVersion = version}}));
}

// What comes out of a stream that arrives in pieces of that size, and how it ends.
std::vector<std::string> decode(Format format, const std::string& stream, std::size_t piece,
                                std::size_t limit = WatchDecoder::kLimit) {
  std::vector<std::string> seen;
  WatchDecoder decoder(format, limit);
  try {
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      decoder.feed(stream.substr(at, piece));
      while (const WatchFrame* frame = decoder.next()) {
        seen.push_back(std::string(to_string(frame->type)) + " " + std::string(frame->metadata.namespace_) + "/" +
                       std::string(frame->metadata.name) + " " + std::string(frame->metadata.resource_version));
      }
    }
    decoder.finish();
  } catch (const InputError& error) {
    seen.push_back(std::string("error: ") + error.what());
  }
  return seen;
}

class Streams : public testing::TestWithParam<Format> {
 public:
  std::string event(const std::string& type, const std::string& name, const std::string& version) const {
    return GetParam() == Format::json ? json_event(type, name, version) : protobuf_event(type, name, version);
  }
};

TEST_P(Streams, GiveTheSameEventsHoweverTheyAreCut) {
  const std::string stream =
      event("ADDED", "a", "1") + event("MODIFIED", "a", "2") + event("DELETED", "a", "3") + event("BOOKMARK", "", "9");
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    ASSERT_THAT(decode(GetParam(), stream, piece),
                ElementsAre("ADDED shop/a 1", "MODIFIED shop/a 2", "DELETED shop/a 3", "BOOKMARK shop/ 9"))
        << piece;
  }
}

TEST_P(Streams, ThatEndWithinAnEventGiveTheEventsBeforeItAndAnError) {
  const std::string first = event("ADDED", "a", "1");
  const std::string second = event("ADDED", "b", "2");
  for (std::size_t cut = 1; cut + 1 < second.size(); ++cut) {
    const auto seen = decode(GetParam(), first + second.substr(0, cut), 1000);
    ASSERT_EQ(seen.size(), 2U) << cut;
    EXPECT_EQ(seen[0], "ADDED shop/a 1");
    EXPECT_THAT(seen[1], HasSubstr("the stream ended within a ")) << cut;
  }
}

TEST_P(Streams, WithAnEventThatIsTooLargeAreGivenUp) {
  const std::string stream = event("ADDED", "a", "1") + event("ADDED", std::string(500, 'x'), "2");
  const auto seen = decode(GetParam(), stream, 64, 300);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_THAT(seen[1], HasSubstr("300"));
}

TEST_P(Streams, WithGarbageGiveTheEventsBeforeIt) {
  const auto seen = decode(GetParam(), event("ADDED", "a", "1") + "<html>502 Bad Gateway</html>", 1000);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0], "ADDED shop/a 1");
  EXPECT_THAT(seen[1], testing::StartsWith("error: "));
}

TEST_P(Streams, WithAnUnknownTypeAreGivenUp) {
  EXPECT_THAT(decode(GetParam(), event("RENAMED", "a", "1"), 1000),
              ElementsAre(HasSubstr("type: expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, found \"RENAMED\"")));
}

INSTANTIATE_TEST_SUITE_P(Watch, Streams, testing::Values(Format::json, Format::protobuf),
                         [](const auto& format) { return format.param == Format::json ? "Json" : "Protobuf"; });

TEST(WatchDecoderTest, AnObjectThatLiesInTheChunkIsNotCopied) {
  WatchDecoder decoder(Format::json);
  std::string chunk = json_event("ADDED", std::string(100, 'a'), "1") + json_event("ADDED", "b", "2");
  const char* begin = chunk.data();
  const char* end = begin + chunk.size();
  decoder.feed(std::move(chunk));
  while (const WatchFrame* frame = decoder.next()) {
    EXPECT_GE(frame->object.data(), begin);
    EXPECT_LT(frame->object.data(), end);
  }
}

TEST(WatchDecoderTest, TheObjectIsTheTextAsItCame) {
  WatchDecoder decoder(Format::json);
  decoder.feed(R"({ "object" : {"kind":"A", "metadata":{"name":"x"} , "z":[1, 2]}, "type":"ADDED", "new":1 })");
  const WatchFrame* frame = decoder.next();
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->object, R"({"kind":"A", "metadata":{"name":"x"} , "z":[1, 2]})");
  EXPECT_EQ(decoder.next(), nullptr);
}

TEST(WatchDecoderTest, AProtobufObjectIsGivenWithoutItsEnvelope) {
  WatchDecoder decoder(Format::protobuf);
  decoder.feed(protobuf_event("ADDED", "a", "1"));
  const WatchFrame* frame = decoder.next();
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->metadata.kind, "ConfigMap");
  EXPECT_EQ(frame->metadata.api_version, "v1");
  kube::core::v1::ConfigMap map;
  kube::decode_message(frame->object, reflect::type_of<kube::core::v1::ConfigMap>(), &map);
  EXPECT_EQ(map.metadata.name, "a");
}

TEST(WatchDecoderTest, AnErrorHoldsItsStatusWhole) {
  const kube::meta::v1::Status status{.message = "too old", .reason = "Expired", .code = 410};
  WatchDecoder decoder(Format::protobuf);
  decoder.feed(kube::make_watch_frame("ERROR", kube::to_protobuf(status)));
  const WatchFrame* frame = decoder.next();
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->type, WatchType::error);
  EXPECT_EQ(kube::from_protobuf<kube::meta::v1::Status>(frame->object).code, 410);
}

TEST(WatchDecoderTest, AnEventWithoutAnObjectIsAnError) {
  EXPECT_THAT(decode(Format::json, R"({"type":"ADDED"})", 99), ElementsAre(HasSubstr("object: expected an object")));
  EXPECT_THAT(decode(Format::json, R"({"type":"ADDED","object":[]})", 99),
              ElementsAre(HasSubstr("object: expected an object")));
  EXPECT_THAT(decode(Format::protobuf, kube::make_watch_frame("ADDED", ""), 99), ElementsAre(HasSubstr("k8s\\0")));
}

TEST(WatchDecoderTest, TheEncodingIsThatOfTheContentType) {
  EXPECT_EQ(format_from("application/json"), Format::json);
  EXPECT_EQ(format_from("Application/JSON; charset=utf-8"), Format::json);
  EXPECT_EQ(format_from("application/vnd.kubernetes.protobuf;stream=watch"), Format::protobuf);
  EXPECT_EQ(format_from("text/html"), std::nullopt);
  EXPECT_EQ(format_from(""), std::nullopt);
}

}  // namespace
}  // namespace flyball::client
