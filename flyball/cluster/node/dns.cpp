#include "flyball/cluster/node/dns.hpp"

#include <cctype>
#include <cstdint>
#include <optional>

#include "flyball/cluster/node/addresses.hpp"

namespace flyball::cluster::node {
namespace {

constexpr std::size_t kHeader = 12;
constexpr std::uint16_t kTypeA = 1;
constexpr std::uint16_t kTypeSrv = 33;
constexpr std::uint16_t kTypeAny = 255;
constexpr std::uint16_t kClassIn = 1;
constexpr std::uint16_t kSeconds = 5;     // how long others may remember an answer
constexpr std::size_t kMostRecords = 25;  // what fits 512 bytes, without being asked for more
constexpr std::uint8_t kNoSuchName = 3;
constexpr std::uint8_t kRefused = 5;

std::uint16_t number(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[at]) << 8U |
                                    static_cast<unsigned char>(bytes[at + 1]));
}
void put(std::string& out, unsigned value) {
  out += static_cast<char>(value >> 8U & 0xffU);
  out += static_cast<char>(value & 0xffU);
}

struct Question {
  std::string name = {};  // in lower case
  std::uint16_t type = 0;
  std::size_t end = 0;
};

std::optional<Question> question_of(std::string_view bytes) {
  if (bytes.size() < kHeader || number(bytes, 4) != 1 || (static_cast<unsigned char>(bytes[2]) & 0xf8U) != 0) {
    return std::nullopt;
  }
  Question question;
  std::size_t at = kHeader;
  while (at < bytes.size() && bytes[at] != 0) {
    const std::size_t length = static_cast<unsigned char>(bytes[at]);
    if (length > 63 || at + 1 + length >= bytes.size()) return std::nullopt;
    if (!question.name.empty()) question.name += '.';
    for (const char letter : bytes.substr(at + 1, length)) {
      question.name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    at += 1 + length;
  }
  if (at + 5 > bytes.size()) return std::nullopt;
  question.type = number(bytes, at + 1);
  if (number(bytes, at + 3) != kClassIn) return std::nullopt;
  question.end = at + 5;
  return question;
}

std::string encoded(const std::string& name) {
  std::string out;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    out += static_cast<char>(end - begin);
    out += name.substr(begin, end - begin);
    begin = end + 1;
  }
  return out + '\0';
}

// The name of the question stands behind the header: records point there.
void record(std::string& out, std::uint16_t type, const std::string& data) {
  put(out, 0xc000U | kHeader);
  put(out, type);
  put(out, kClassIn);
  put(out, 0);
  put(out, kSeconds);
  put(out, static_cast<unsigned>(data.size()));
  out += data;
}

std::string address_data(const std::string& address) {
  const std::uint32_t raw = address_of(address);
  std::string data;
  put(data, raw >> 16U);
  put(data, raw & 0xffffU);
  return data;
}

}  // namespace

std::string dns_answer(std::string_view bytes, const ServiceTable& table) {
  const auto question = question_of(bytes);
  if (!question) return "";
  const auto name = table.names.find(question->name);
  const auto targets = table.targets.find(question->name);
  const bool known = name != table.names.end() || targets != table.targets.end();
  const bool ours = question->name == "cluster.local" || question->name.ends_with(".cluster.local");
  std::string records;
  std::size_t count = 0;
  if (name != table.names.end() && (question->type == kTypeA || question->type == kTypeAny)) {
    for (const std::string& address : name->second) {
      if (count == kMostRecords) break;
      record(records, kTypeA, address_data(address));
      ++count;
    }
  }
  if (targets != table.targets.end() && (question->type == kTypeSrv || question->type == kTypeAny)) {
    for (const ServiceTable::Target& target : targets->second) {
      if (count == kMostRecords) break;
      std::string data;
      put(data, 0);    // priority
      put(data, 100);  // weight
      put(data, target.port);
      record(records, kTypeSrv, data + encoded(target.name));
      ++count;
    }
  }
  const std::uint8_t code = known ? 0 : ours ? kNoSuchName : kRefused;
  std::string out(bytes.substr(0, 2));
  out += static_cast<char>(0x84U | (static_cast<unsigned char>(bytes[2]) & 0x01U));  // an answer, ours to give
  out += static_cast<char>(code);
  put(out, 1);
  put(out, static_cast<unsigned>(count));
  put(out, 0);
  put(out, 0);
  out += bytes.substr(kHeader, question->end - kHeader);
  return out + records;
}

}  // namespace flyball::cluster::node
