// How a log record becomes a line. See log.hpp.
//
// Thread-safety: values and pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "flyball/base/clock.hpp"
#include "flyball/base/log_value.hpp"

namespace flyball {

enum class LogLevel : std::uint8_t { trace, debug, info, warn, error, off };

// "trace" … "error", "off".
std::string_view to_string(LogLevel level) noexcept;

enum class LogEncoding {
  console,  // 2026-01-01T00:00:00.000Z INFO  runtime: reconciled object=default/cache took=1.5ms
  json,     // {"ts":"2026-01-01T00:00:00.000Z","level":"info","room":"runtime","msg":"reconciled","object":…}
};

struct LogRecord {
  LogLevel level;
  WallTime time;
  std::string_view room;
  std::string_view message;
  std::span<const LogField> bound;   // from Logger::with
  std::span<const LogField> fields;  // of this line; where names are equal the last one wins
};

// One line with its newline. Whatever the record holds, the line is one line, and JSON is valid JSON; a field that is
// called like one of the record's own keys gets an underscore ("msg_").
std::string encode_json(const LogRecord& record);
std::string encode_console(const LogRecord& record, bool colour);

}  // namespace flyball
