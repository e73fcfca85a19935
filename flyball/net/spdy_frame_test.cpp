#include "flyball/net/spdy_frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "flyball/net/detail/spdy_dictionary.hpp"

namespace flyball::net {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<SpdyEvent> read(SpdyReader& reader, std::string_view text, std::size_t piece) {
  std::vector<SpdyEvent> events;
  while (!text.empty()) {
    std::optional<SpdyEvent> event;
    text.remove_prefix(reader.feed(text.substr(0, piece), event));
    if (event) events.push_back(*event);
  }
  return events;
}

std::string why_not(std::string_view bytes) {
  SpdyReader reader;
  try {
    read(reader, bytes, bytes.size());
    return "";
  } catch (const SpdyError& error) {
    return error.what();
  }
}

TEST(SpdyFrameTest, TheDictionaryIsTheOneEverybodyElseHas) {
  const std::string words = detail::spdy_dictionary();
  ASSERT_EQ(words.size(), 1423U);
  const uLong sum =
      adler32(adler32(0, nullptr, 0), reinterpret_cast<const Bytef*>(words.data()), static_cast<uInt>(words.size()));
  EXPECT_EQ(sum, 0xe3c6a7c2U);  // of "FDICT" in RFC 1950, as moby/spdystream sends it
}

TEST(SpdyFrameTest, WhatIsWrittenIsReadAsTheSameHoweverItIsCut) {
  SpdyWriter writer;
  const SpdyHeaders first{{"streamtype", "error"}, {"port", "80"}, {"requestid", "0"}};
  const SpdyHeaders second{{"streamtype", "data"}, {"port", "80"}, {"requestid", "0"}};
  std::string text = writer.syn_stream(1, first);
  text += writer.syn_stream(3, second, true);
  text += writer.syn_reply(2, {});
  text += SpdyWriter::data(1, "hello") + SpdyWriter::data(1, "", true) + SpdyWriter::ping(7) +
          SpdyWriter::reset(3, kSpdyCancel) + SpdyWriter::go_away(3);
  SpdyReader whole;
  const std::vector<SpdyEvent> events = read(whole, text, text.size());
  EXPECT_THAT(events, ElementsAre(SpdyEvent{.kind = SpdyKind::syn_stream, .stream = 1, .headers = first},
                                  SpdyEvent{.kind = SpdyKind::syn_stream, .stream = 3, .last = true, .headers = second},
                                  SpdyEvent{.kind = SpdyKind::syn_reply, .stream = 2},
                                  SpdyEvent{.kind = SpdyKind::data, .stream = 1, .data = "hello"},
                                  SpdyEvent{.kind = SpdyKind::data, .stream = 1, .last = true},
                                  SpdyEvent{.kind = SpdyKind::ping, .stream = 7},
                                  SpdyEvent{.kind = SpdyKind::reset, .stream = 3, .status = kSpdyCancel},
                                  SpdyEvent{.kind = SpdyKind::go_away, .stream = 3}));
  SpdyReader cut;
  const std::vector<SpdyEvent> pieces = read(cut, text, 1);
  ASSERT_EQ(pieces.size(), events.size() + 4);  // "hello" comes letter by letter
  EXPECT_EQ(pieces.front(), events.front());
  EXPECT_EQ(pieces.back(), events.back());
  EXPECT_EQ(events.front().header("port"), "80");
  EXPECT_EQ(events.front().header("colour"), "");
}

TEST(SpdyFrameTest, FramesThatMatterToNobodyAreReadOver) {
  const std::string window("\x80\x03\x00\x09\x00\x00\x00\x08\x00\x00\x00\x01\x00\x00\x40\x00", 16);
  SpdyReader reader;
  EXPECT_THAT(read(reader, window, 3), IsEmpty());
  EXPECT_EQ(read(reader, SpdyWriter::ping(1), 3).size(), 1U);
}

TEST(SpdyFrameTest, WhatIsNoSpdyIsRefused) {
  EXPECT_THAT(why_not(std::string("\x80\x02\x00\x06\x00\x00\x00\x04", 8)), HasSubstr("no SPDY/3: version 2"));
  EXPECT_THAT(why_not(std::string("\x80\x03\x00\x06\x00\xff\xff\xff", 8)), HasSubstr("16777215 bytes is too large"));
  EXPECT_THAT(why_not(std::string("\x80\x03\x00\x06\x00\x00\x00\x01x", 9)), HasSubstr("type 6 is too short"));
  EXPECT_THAT(why_not(std::string("\x80\x03\x00\x02\x00\x00\x00\x08\x00\x00\x00\x01junk", 16)),
              HasSubstr("cannot be unpacked"));
}

TEST(SpdyFrameTest, HeadersThatUnpackToTooMuchAreRefused) {
  SpdyWriter writer;
  EXPECT_THAT(why_not(writer.syn_stream(1, {{"a", std::string(std::size_t{1} << 20U, 'a')}})),
              HasSubstr("headers of a SPDY frame are too large"));
}

}  // namespace
}  // namespace flyball::net
