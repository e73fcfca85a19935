#include <charconv>
#include <system_error>

#include "flyball/base/error.hpp"
#include "flyball/image/tar.hpp"

namespace flyball::image {
namespace {

constexpr std::size_t kBlock = 512;

[[noreturn]] void damaged(const std::string& why) { throw Error("the tar archive is damaged: " + why); }

std::string_view text_at(std::string_view block, std::size_t at, std::size_t size) {
  const std::string_view field = block.substr(at, size);
  return field.substr(0, field.find('\0'));
}

// Octal digits between blanks, or with the high bit set a binary number.
std::uint64_t number_at(std::string_view block, std::size_t at, std::size_t size) {
  std::string_view field = block.substr(at, size);
  if ((static_cast<unsigned char>(field[0]) & 0x80U) != 0) {
    std::uint64_t number = static_cast<unsigned char>(field[0]) & 0x7fU;
    for (const char byte : field.substr(1)) {
      if (number >> 55U != 0) damaged("a number is too large");
      number = (number << 8U) | static_cast<unsigned char>(byte);
    }
    return number;
  }
  while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
  const std::size_t end = std::min(field.find_first_of(std::string_view(" \0", 2)), field.size());
  if (end == 0) return 0;
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(field.data(), field.data() + end, number, 8);
  if (error != std::errc() || stop != field.data() + end) damaged("expected octal digits");
  return number;
}

void check_sum(std::string_view block) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    sum += i >= 148 && i < 156 ? static_cast<unsigned char>(' ') : static_cast<unsigned char>(block[i]);
  }
  if (sum != number_at(block, 148, 8)) damaged("the checksum of a header is wrong");
}

TarKind kind_of(char flag) {
  switch (flag) {
    case '\0':
    case '0':
    case '7': return TarKind::file;
    case '1': return TarKind::hard_link;
    case '2': return TarKind::symlink;
    case '5': return TarKind::folder;
    default: return TarKind::other;
  }
}

std::string name_of(std::string_view block) {
  const std::string name(text_at(block, 0, 100));
  // GNU keeps other things where POSIX has the prefix.
  const std::string_view prefix =
      block.substr(257, 6) == std::string_view("ustar\0", 6) ? text_at(block, 345, 155) : "";
  return prefix.empty() ? name : std::string(prefix) + "/" + name;
}

std::uint64_t decimal(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) damaged("expected a number in a pax record");
  return number;
}

}  // namespace

std::string_view TarReader::take(std::uint64_t size) {
  if (size > rest_.size()) damaged("it ends in the middle");
  const std::string_view data = rest_.substr(0, size);
  const std::uint64_t padded = (size + kBlock - 1) / kBlock * kBlock;
  rest_.remove_prefix(std::min<std::uint64_t>(padded, rest_.size()));
  return data;
}

void TarReader::read_pax(std::string_view records, Extra& extra) {
  while (!records.empty()) {
    const std::size_t blank = records.find(' ');
    if (blank == std::string_view::npos) damaged("a pax record has no length");
    const std::uint64_t length = decimal(records.substr(0, blank));
    if (length <= blank + 1 || length > records.size()) damaged("a pax record has a wrong length");
    const std::string_view record = records.substr(blank + 1, length - blank - 2);
    records.remove_prefix(length);
    const std::size_t equals = record.find('=');
    if (equals == std::string_view::npos) damaged("a pax record has no value");
    const std::string_view key = record.substr(0, equals);
    const std::string_view value = record.substr(equals + 1);
    if (key == "path") extra.name = value;
    if (key == "linkpath") extra.link = value;
    if (key == "size") extra.size = decimal(value);
  }
}

std::optional<TarEntry> TarReader::next() {
  Extra extra;
  while (rest_.size() >= kBlock) {
    const std::string_view block = take(kBlock);
    if (block.find_first_not_of('\0') == std::string_view::npos) return std::nullopt;
    check_sum(block);
    const char flag = block[156];
    const bool about = flag == 'x' || flag == 'g' || flag == 'L' || flag == 'K';
    const std::string_view data = take(!about && extra.size ? *extra.size : number_at(block, 124, 12));
    if (flag == 'x') read_pax(data, extra);
    if (flag == 'L') extra.name = data.substr(0, data.find('\0'));
    if (flag == 'K') extra.link = data.substr(0, data.find('\0'));
    if (about) continue;
    TarEntry entry{.name = extra.name.value_or(name_of(block)),
                   .kind = kind_of(flag),
                   .mode = static_cast<std::uint32_t>(number_at(block, 100, 8) & 07777U),
                   .uid = number_at(block, 108, 8),
                   .gid = number_at(block, 116, 8),
                   .mtime = static_cast<std::int64_t>(number_at(block, 136, 12)),
                   .link = extra.link.value_or(std::string(text_at(block, 157, 100))),
                   .data = data};
    // Archives older than POSIX know folders by their slash alone.
    if (entry.kind == TarKind::file && entry.name.ends_with('/')) entry.kind = TarKind::folder;
    return entry;
  }
  if (!rest_.empty()) damaged("it ends in the middle of a header");
  return std::nullopt;
}

std::string safe_path(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) throw InputError({}, "", "a file's name has a zero byte");
  std::string path;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    begin = end + 1;
    if (part == "..") throw InputError({}, "", "the name \"" + std::string(name) + "\" leads out of its folder");
    if (part.empty() || part == ".") continue;
    if (!path.empty()) path += '/';
    path += part;
  }
  return path;
}

}  // namespace flyball::image
