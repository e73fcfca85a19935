#include "flyball/kube/protobuf_split.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/protobuf.hpp"

namespace flyball::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string config_maps(int count) {
  core::v1::ConfigMapList list{.metadata = {.resourceVersion = "77", .continue_ = "more"}};
  for (int i = 0; i < count; ++i) {
    list.items.push_back({.metadata = {.name = "map-" + std::to_string(i)},
                          .data = {{"text", std::string(static_cast<std::size_t>(i) * 100, 'x')}}});
  }
  return to_protobuf(list);
}

struct Split {
  std::vector<std::string> names = {};
  std::string version = {};
  std::string error = {};
};

Split split(std::string_view bytes, std::size_t piece, std::size_t limit = 1 << 20) {
  Split result;
  ListSplitter splitter(limit);
  try {
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      splitter.feed(bytes.substr(at, piece),
                    [&](std::string_view item) { result.names.emplace_back(metadata_of_message(item).name); });
    }
    const meta::v1::ListMeta meta = splitter.finish();
    result.version = meta.resourceVersion + " " + meta.continue_;
  } catch (const InputError& error) {
    result.error = error.what();
  }
  return result;
}

std::vector<std::string> frames(std::string_view bytes, std::size_t piece, std::string* error = nullptr) {
  std::vector<std::string> found;
  FrameSplitter splitter(1000);
  try {
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      splitter.feed(bytes.substr(at, piece), [&](std::string_view frame) { found.emplace_back(frame); });
    }
    splitter.finish();
  } catch (const InputError& caught) {
    if (error != nullptr) *error = caught.what();
  }
  return found;
}

TEST(ProtobufSplitTest, AListGivesTheSameItemsHoweverItIsCut) {
  const std::string bytes = config_maps(5);
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const Split result = split(bytes, piece);
    ASSERT_EQ(result.error, "") << piece;
    ASSERT_THAT(result.names, ElementsAre("map-0", "map-1", "map-2", "map-3", "map-4")) << piece;
    ASSERT_EQ(result.version, "77 more") << piece;
  }
  EXPECT_THAT(split(config_maps(0), 7).names, ElementsAre());
  EXPECT_EQ(split(config_maps(0), 7).version, "77 more");
}

TEST(ProtobufSplitTest, AnItemThatLiesInTheChunkIsNotCopied) {
  const std::string bytes = config_maps(2);
  ListSplitter splitter(1 << 20);
  splitter.feed(bytes, [&](std::string_view item) {
    EXPECT_GE(item.data(), bytes.data());
    EXPECT_LE(item.data() + item.size(), bytes.data() + bytes.size());
  });
}

TEST(ProtobufSplitTest, AListThatIsCutOffIsAnErrorWhereverItEnds) {
  const std::string bytes = config_maps(2);
  // Behind the list the envelope has two empty fields, which may be missing.
  const std::size_t end_of_list = bytes.size() - 4;
  for (std::size_t size = 0; size < end_of_list; ++size) {
    EXPECT_NE(split(std::string_view(bytes).substr(0, size), 3).error, "") << size;
  }
  EXPECT_EQ(split(bytes, 3).error, "");
}

TEST(ProtobufSplitTest, WhatIsNoListIsAnError) {
  EXPECT_THAT(split(R"({"kind":"PodList"})", 4).error, HasSubstr("expected the bytes k8s\\0"));
  EXPECT_THAT(split(std::string(kProtobufMagic) + "\x07", 4).error, HasSubstr("the list is damaged"));
  EXPECT_THAT(split(std::string(kProtobufMagic) + "\x12\x02\x12\x09", 4).error, HasSubstr("longer than the list"));
  EXPECT_THAT(split(config_maps(5), 10, 200).error, HasSubstr("items[2]: has 2"));
  EXPECT_THAT(split(config_maps(5), 10, 200).error, HasSubstr("more than the 200 allowed"));
}

TEST(ProtobufSplitTest, FramesAreTheSameHoweverTheyAreCut) {
  const std::string map = to_protobuf(core::v1::ConfigMap{.metadata = {.name = "a"}});
  const std::string bytes = make_watch_frame("ADDED", map) + make_watch_frame("DELETED", map);
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const auto found = frames(bytes, piece);
    ASSERT_EQ(found.size(), 2U) << piece;
    EXPECT_EQ(open_watch_message(found[0]).type, "ADDED");
    EXPECT_EQ(open_watch_message(found[1]).type, "DELETED");
    EXPECT_EQ(open_watch_message(found[1]).object, map);
  }
}

TEST(ProtobufSplitTest, AFrameThatIsCutOffOrTooLargeIsAnError) {
  const std::string whole = make_watch_frame("ADDED", "object");
  std::string error;
  EXPECT_TRUE(frames(std::string_view(whole).substr(0, whole.size() - 1), 5, &error).empty());
  EXPECT_THAT(error, HasSubstr("the stream ended within a frame, 20 bytes into it"));
  EXPECT_TRUE(frames(R"({"type":"ADDED"})", 5, &error).empty());
  EXPECT_THAT(error, HasSubstr("announces 2065855609 bytes, more than the 1000 allowed"));
}

TEST(ProtobufSplitTest, ADamagedWatchEventIsAnError) {
  EXPECT_THROW((void)open_watch_message("\x0a\x20short"), InputError);
  EXPECT_THROW((void)open_watch_message("\x12\x02\x0a\x20"), InputError);
  EXPECT_EQ(open_watch_message("").type, "");
}

}  // namespace
}  // namespace flyball::kube
