#include <algorithm>
#include <array>
#include <charconv>

#include "flyball/base/error.hpp"
#include "flyball/image/tar.hpp"

namespace flyball::image {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kShortName = 100;

char flag_of(TarKind kind) {
  switch (kind) {
    case TarKind::folder: return '5';
    case TarKind::symlink: return '2';
    case TarKind::hard_link: return '1';
    default: return '0';
  }
}

std::string octal(std::uint64_t number, std::size_t digits) {
  std::array<char, 24> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number, 8);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (length > digits) throw Error("too large for a tar archive: " + std::to_string(number));
  return std::string(digits - length, '0') + std::string(text.data(), length);
}

void put(std::string& block, std::size_t at, std::string_view text) {
  std::ranges::copy(text, block.begin() + static_cast<std::ptrdiff_t>(at));
}

std::string header(const TarEntry& entry, char flag) {
  std::string block(kBlock, '\0');
  put(block, 0, std::string_view(entry.name).substr(0, kShortName));
  put(block, 100, octal(entry.mode & 07777U, 7));
  put(block, 108, octal(entry.uid, 7));
  put(block, 116, octal(entry.gid, 7));
  put(block, 124, octal(entry.data.size(), 11));
  put(block, 136, octal(static_cast<std::uint64_t>(std::max<std::int64_t>(entry.mtime, 0)), 11));
  put(block, 148, "        ");
  block[156] = flag;
  put(block, 157, std::string_view(entry.link).substr(0, kShortName));
  put(block, 257,
      std::string_view("ustar\0"
                       "00",
                       8));
  std::uint64_t sum = 0;
  for (const char byte : block) sum += static_cast<unsigned char>(byte);
  put(block, 148, octal(sum, 6));
  block[154] = '\0';
  return block;
}

// "LENGTH KEY=VALUE\n", where the length counts itself.
std::string pax_record(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t length = rest + std::to_string(rest).size();
  length = rest + std::to_string(length).size();
  return std::to_string(length) + " " + std::string(key) + "=" + std::string(value) + "\n";
}

void pad(std::string& out) { out.append((kBlock - out.size() % kBlock) % kBlock, '\0'); }

}  // namespace

void TarWriter::add(const TarEntry& entry) {
  std::string records;
  if (entry.name.size() > kShortName) records += pax_record("path", entry.name);
  if (entry.link.size() > kShortName) records += pax_record("linkpath", entry.link);
  if (!records.empty()) {
    out_ += header({.name = "pax", .mtime = entry.mtime, .data = records}, 'x');
    out_ += records;
    pad(out_);
  }
  out_ += header(entry, flag_of(entry.kind));
  out_ += entry.data;
  pad(out_);
}

void TarWriter::finish() { out_.append(2 * kBlock, '\0'); }

}  // namespace flyball::image
