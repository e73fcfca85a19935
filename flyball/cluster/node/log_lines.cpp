#include "flyball/cluster/node/log_lines.hpp"

#include <cerrno>
#include <chrono>

#include <unistd.h>

#include "flyball/kube/time.hpp"

namespace flyball::cluster::node {
namespace {

constexpr std::size_t kLongest = 16384;  // of a line, before it is cut in parts
constexpr std::size_t kNanoDigits = 9;

std::string time_text(WallTime now) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  std::string nanos = std::to_string((now - seconds).count());
  nanos.insert(0, kNanoDigits - nanos.size(), '0');
  std::string text = kube::Time(seconds).to_string();
  text.insert(text.size() - 1, "." + nanos);
  return text;
}

}  // namespace

void LogWriter::add(std::string_view piece, WallTime now) {
  while (!piece.empty()) {
    const std::size_t end = piece.find('\n');
    begun_ += piece.substr(0, end);
    while (begun_.size() > kLongest) {
      write(std::string_view(begun_).substr(0, kLongest), false, now);
      begun_.erase(0, kLongest);
    }
    if (end == std::string_view::npos) return;
    write(begun_, true, now);
    begun_.clear();
    piece.remove_prefix(end + 1);
  }
}

void LogWriter::finish(WallTime now) {
  if (!begun_.empty()) write(begun_, false, now);
  begun_.clear();
}

void LogWriter::write(std::string_view text, bool whole, WallTime now) const {
  const std::string line = time_text(now) + " " + stream_ + (whole ? " F " : " P ") + std::string(text) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // the disk is full: the program goes on, unheard
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::optional<LogLine> parse_log_line(std::string_view line) {
  const std::size_t stream = line.find(' ');
  if (stream == std::string_view::npos) return std::nullopt;
  const std::size_t tag = line.find(' ', stream + 1);
  if (tag == std::string_view::npos || tag + 2 >= line.size() + 1) return std::nullopt;
  const std::size_t text = tag + 3;
  if (text > line.size() || line[tag + 2] != ' ') return std::nullopt;
  return LogLine{.time = line.substr(0, stream), .whole = line[tag + 1] == 'F', .text = line.substr(text)};
}

}  // namespace flyball::cluster::node
