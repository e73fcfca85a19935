// The lines of a container's log: each with the time it was printed at, in the form that container runtimes write.
//
//   2026-11-16T12:00:00.123456789Z stdout F listening on :11211
//
//   LogWriter log(fd);
//   log.add(piece, clock.wall_now());                       // whatever the program has printed
//   const auto line = parse_log_line(text);                 // line->text, line->time
//
// F is a whole line, P one that goes on in the next.
//
// Thread-safety: one thread. Lifetime: the descriptor is the caller's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "flyball/base/clock.hpp"

namespace flyball::cluster::node {

class LogWriter {
 public:
  explicit LogWriter(int fd, std::string stream = "stdout") : fd_(fd), stream_(std::move(stream)) {}

  void add(std::string_view piece, WallTime now);
  // What has no end of line is written all the same.
  void finish(WallTime now);

 private:
  void write(std::string_view text, bool whole, WallTime now) const;

  int fd_;
  std::string stream_;
  std::string begun_;
};

struct LogLine {
  std::string_view time = {};
  bool whole = true;
  std::string_view text = {};
};

// Of a line without its end; nothing when it is none.
std::optional<LogLine> parse_log_line(std::string_view line);

}  // namespace flyball::cluster::node
