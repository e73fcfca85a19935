#include "flyball/net/websocket_frame.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::net {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr FrameMask kRfcMask = {'\x37', '\xfa', '\x21', '\x3d'};

// "81 05 48" as bytes.
std::string bytes(std::string_view hex) {
  std::string out;
  std::string digits;
  for (const char c : hex) {
    if (c != ' ') digits += c;
    if (digits.size() == 2) out += static_cast<char>(std::stoi(std::exchange(digits, {}), nullptr, 16));
  }
  return out;
}

std::vector<WebSocketEvent> read(std::string_view input, WebSocketRole role = WebSocketRole::kClient,
                                 std::size_t piece = 1 << 20, std::uint64_t limit = 1 << 20) {
  FrameReader reader(role, limit);
  std::vector<WebSocketEvent> events;
  while (!input.empty()) {
    std::optional<WebSocketEvent> event;
    input.remove_prefix(reader.feed(input.substr(0, piece), event));
    if (event) events.push_back(*event);
  }
  EXPECT_TRUE(reader.between_messages());
  return events;
}

std::string written(Opcode opcode, std::string_view payload, std::optional<FrameMask> mask = {}, bool last = true) {
  std::string out;
  append_frame(out, opcode, payload, mask, last);
  return out;
}

TEST(WebSocketFrame, ReadsAndWritesTheExamplesOfTheRfc) {
  const WebSocketEvent hello{.kind = Opcode::kText, .payload = "Hello"};
  EXPECT_THAT(read(bytes("81 05 48 65 6c 6c 6f")), ElementsAre(hello));
  EXPECT_EQ(written(Opcode::kText, "Hello"), bytes("81 05 48 65 6c 6c 6f"));
  const std::string masked = bytes("81 85 37 fa 21 3d 7f 9f 4d 51 58");
  EXPECT_THAT(read(masked, WebSocketRole::kServer), ElementsAre(hello));
  EXPECT_EQ(written(Opcode::kText, "Hello", kRfcMask), masked);
  EXPECT_THAT(read(bytes("01 03 48 65 6c 80 02 6c 6f")), ElementsAre(hello));
  EXPECT_EQ(written(Opcode::kText, "Hel", {}, false) + written(Opcode::kContinuation, "lo"),
            bytes("01 03 48 65 6c 80 02 6c 6f"));
  EXPECT_THAT(read(bytes("89 05 48 65 6c 6c 6f")),
              ElementsAre(WebSocketEvent{.kind = Opcode::kPing, .payload = "Hello"}));
  EXPECT_THAT(read(bytes("8a 85 37 fa 21 3d 7f 9f 4d 51 58"), WebSocketRole::kServer),
              ElementsAre(WebSocketEvent{.kind = Opcode::kPong, .payload = "Hello"}));
}

TEST(WebSocketFrame, WritesALengthInTheFewestBytes) {
  EXPECT_TRUE(written(Opcode::kBinary, std::string(125, 'x')).starts_with(bytes("82 7d")));
  EXPECT_TRUE(written(Opcode::kBinary, std::string(126, 'x')).starts_with(bytes("82 7e 00 7e")));
  EXPECT_TRUE(written(Opcode::kBinary, std::string(256, 'x')).starts_with(bytes("82 7e 01 00")));
  EXPECT_TRUE(written(Opcode::kBinary, std::string(65'535, 'x')).starts_with(bytes("82 7e ff ff")));
  EXPECT_TRUE(written(Opcode::kBinary, std::string(65'536, 'x')).starts_with(bytes("82 7f 00 00 00 00 00 01 00 00")));
}

TEST(WebSocketFrame, GivesTheSameEventsHoweverTheBytesAreCut) {
  std::string text;
  for (const std::size_t size : std::vector<std::size_t>{0, 1, 7, 125, 126, 300, 65'535, 65'536}) {
    append_frame(text, Opcode::kBinary, std::string(size, 'b'), kRfcMask);
  }
  append_frame(text, Opcode::kText, "half ", kRfcMask, false);
  append_frame(text, Opcode::kPing, "between fragments", kRfcMask);
  append_frame(text, Opcode::kContinuation, "", kRfcMask, false);
  append_frame(text, Opcode::kContinuation, "and half ü", kRfcMask);
  append_frame(text, Opcode::kClose, close_payload(4000, "enough"), kRfcMask);
  const auto whole = read(text, WebSocketRole::kServer);
  ASSERT_EQ(whole.size(), 11U);
  EXPECT_EQ(whole[8], (WebSocketEvent{.kind = Opcode::kPing, .payload = "between fragments"}));
  EXPECT_EQ(whole[9], (WebSocketEvent{.kind = Opcode::kText, .payload = "half and half ü"}));
  EXPECT_EQ(whole[10], (WebSocketEvent{.kind = Opcode::kClose, .payload = "enough", .code = 4000}));
  for (const std::size_t piece : std::vector<std::size_t>{1, 2, 3, 5, 8, 13, 1000})
    EXPECT_EQ(read(text, WebSocketRole::kServer, piece), whole);
}

struct Wrong {
  const char* name;
  std::string frames;
  WebSocketRole role;
  std::uint16_t code;
  const char* says;
};

std::vector<Wrong> wrong_frames() {
  constexpr auto kClient = WebSocketRole::kClient;
  constexpr auto kServer = WebSocketRole::kServer;
  const std::string long_head = bytes("82 7f");
  return {
      {"ReservedBit1", bytes("c1 00"), kClient, 1002, "reserved bits"},
      {"ReservedBit3", bytes("91 00"), kClient, 1002, "reserved bits"},
      {"Opcode3", bytes("83 00"), kClient, 1002, "unknown opcode 3"},
      {"Opcode11", bytes("8b 00"), kClient, 1002, "unknown opcode 11"},
      {"Opcode15", bytes("8f 00"), kClient, 1002, "unknown opcode 15"},
      {"MaskedServer", bytes("81 80 00 00 00 00"), kClient, 1002, "masks its frames"},
      {"UnmaskedClient", bytes("81 00"), kServer, 1002, "does not mask"},
      {"FragmentedPing", bytes("09 00"), kClient, 1002, "control frame is fragmented"},
      {"LongPing", bytes("89 7e 00 7e"), kClient, 1002, "more than 125"},
      {"LongClose", bytes("88 7f"), kClient, 1002, "more than 125"},
      {"ContinuationOfNothing", bytes("80 00"), kClient, 1002, "without a message to continue"},
      {"NewMessageTooEarly", bytes("01 00 81 00"), kClient, 1002, "before the last fragment"},
      {"ContinuationAfterTheLast", bytes("01 00 80 00 80 00"), kClient, 1002, "without a message to continue"},
      {"LengthIn2For125", bytes("82 7e 00 7d"), kClient, 1002, "fewest bytes"},
      {"LengthIn8For65535", long_head + bytes("00 00 00 00 00 00 ff ff"), kClient, 1002, "fewest bytes"},
      {"HighestBit", long_head + bytes("80 00 00 00 00 00 00 00"), kClient, 1002, "highest bit"},
      {"TooLong", long_head + bytes("00 00 00 00 00 10 00 01"), kClient, 1009, "longer than the 1048576 bytes"},
      {"TooLongTogether", bytes("02 01 00 00 7f 00 00 00 00 00 10 00 00"), kClient, 1009, "longer than"},
      {"NotUtf8", bytes("81 01 ff"), kClient, 1007, "not UTF-8"},
      {"HalfACharacter", bytes("81 02 e2 82"), kClient, 1007, "not UTF-8"},
      {"Surrogate", bytes("81 03 ed a0 80"), kClient, 1007, "not UTF-8"},
      {"Overlong", bytes("81 02 c0 af"), kClient, 1007, "not UTF-8"},
      {"PastTheLastCharacter", bytes("81 04 f4 90 80 80"), kClient, 1007, "not UTF-8"},
      {"HalfACloseCode", bytes("88 01 03"), kClient, 1002, "half a code"},
      {"CloseCode0", bytes("88 02 00 00"), kClient, 1002, "code 0"},
      {"CloseCode1004", bytes("88 02 03 ec"), kClient, 1002, "code 1004"},
      {"CloseCode1005", bytes("88 02 03 ed"), kClient, 1002, "code 1005"},
      {"CloseCode1006", bytes("88 02 03 ee"), kClient, 1002, "code 1006"},
      {"CloseCode2999", bytes("88 02 0b b7"), kClient, 1002, "code 2999"},
      {"CloseCode5000", bytes("88 02 13 88"), kClient, 1002, "code 5000"},
      {"CloseReasonNotUtf8", bytes("88 03 03 e8 ff"), kClient, 1007, "reason in a close frame is not UTF-8"},
  };
}

class WrongFrame : public testing::TestWithParam<Wrong> {};

TEST_P(WrongFrame, IsRefusedWithItsCodeHoweverItIsCut) {
  for (const std::size_t piece : std::vector<std::size_t>{1, 2, 1000}) {
    try {
      (void)read(GetParam().frames, GetParam().role, piece);
      FAIL() << "it was taken";
    } catch (const WebSocketError& error) {
      EXPECT_EQ(error.code(), GetParam().code);
      EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, WrongFrame, testing::ValuesIn(wrong_frames()),
                         [](const auto& wrong) { return std::string(wrong.param.name); });

TEST(WebSocketFrame, CloseCodesArePassedOnWithTheirReason) {
  EXPECT_THAT(read(bytes("88 00")), ElementsAre(WebSocketEvent{.kind = Opcode::kClose, .code = close_code::kNone}));
  for (const std::uint16_t code : std::vector<std::uint16_t>{1000, 1001, 1003, 1007, 1011, 1014, 3000, 4999}) {
    EXPECT_THAT(read(written(Opcode::kClose, close_payload(code, "bye"))),
                ElementsAre(WebSocketEvent{.kind = Opcode::kClose, .payload = "bye", .code = code}));
  }
  EXPECT_THROW((void)close_payload(1005, ""), InputError);
}

TEST(WebSocketFrame, ALongReasonIsCutBetweenCharacters) {
  std::string reason = std::string(122, 'x') + "ü and more";
  EXPECT_EQ(close_payload(1000, reason).size(), 2 + 122U);
  reason.erase(0, 1);
  EXPECT_EQ(close_payload(1000, reason).size(), 2 + 123U);
  EXPECT_LE(close_payload(1000, std::string(123, '\xff')).size(), 125U) << "repaired bytes are longer than they were";
  EXPECT_EQ(read(written(Opcode::kClose, close_payload(1000, std::string(123, '\xff')))).size(), 1U);
}

}  // namespace
}  // namespace flyball::net
