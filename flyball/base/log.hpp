// Log: one event per line, as words for people and fields for machines.
//
//   auto core = std::make_shared<LogCore>(clock, sink, LogCore::Options{.levels = "client=debug,info"});
//   Logger log(core, "runtime");
//   log.info("reconciled", "object", key, "took", elapsed);
//   Logger mine = log.with("controller", "memcached");         // every line of `mine` carries the field
//
// A message is a constant; what varies goes into fields. A field is a name and a value: text, numbers, bool, durations,
// exceptions, or any type with a `std::string log_text(const T&)` beside it. Secrets never print: a Secret shows
// [redacted], and so does the value of any field whose name looks secret (secret.hpp).
//
// A line below the level costs one relaxed atomic load; its arguments are not formatted. Levels are per room and may
// change at run time: core->set_levels("cache=trace,warn").
//
// Thread-safety: all members may be called from any thread; a Logger is a value, copy it.
// Lifetime: a Logger shares its LogCore; the clock and the sink outlive the core.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log_encode.hpp"
#include "flyball/base/log_value.hpp"
#include "flyball/base/mutex.hpp"

namespace flyball {

// Where lines go. write() gets one whole line with its newline; calls come from any thread, one at a time.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void write(std::string_view line) = 0;
  // Whether a person watches: colours are used only then.
  virtual bool is_terminal() const { return false; }
};

class StderrSink final : public LogSink {
 public:
  StderrSink();
  void write(std::string_view line) override;
  bool is_terminal() const override { return terminal_; }

 private:
  const bool terminal_;
};

// Keeps the lines, for tests.
class CapturingSink final : public LogSink {
 public:
  void write(std::string_view line) override;
  // What was written since the last call.
  std::string take();

 private:
  Mutex mutex_;
  std::string text_ FLYBALL_GUARDED_BY(mutex_);
};

// The value of FLYBALL_LOG, for LogCore::Options::levels; "info" when it is unset or empty.
std::string log_levels_from_environment();

// What the loggers of a program share: sink, encoding and levels.
class LogCore {
 public:
  struct Options {
    LogEncoding encoding = LogEncoding::console;
    std::string levels = "info";  // as for set_levels
  };

  LogCore(const Clock& clock, LogSink& sink) : LogCore(clock, sink, Options()) {}
  LogCore(const Clock& clock, LogSink& sink, const Options& options);

  // Rooms with their levels, and a level without a room for all others: "client=debug,cache=trace,info". The same
  // syntax as the environment variable FLYBALL_LOG. What the list leaves out is at "info". Throws InputError, and
  // changes nothing, when the list is wrong.
  void set_levels(std::string_view spec);

 private:
  friend class Logger;
  // Room entries are never removed: loggers point at them.
  const std::atomic<LogLevel>& room_level(const std::string& room);
  void write(const LogRecord& record);

  // Constant after construction.
  const Clock& clock_;
  LogSink& sink_;
  const LogEncoding encoding_;

  Mutex levels_mutex_;
  std::map<std::string, LogLevel, std::less<>> overrides_ FLYBALL_GUARDED_BY(levels_mutex_);
  LogLevel default_level_ FLYBALL_GUARDED_BY(levels_mutex_) = LogLevel::info;
  std::map<std::string, std::unique_ptr<std::atomic<LogLevel>>> rooms_ FLYBALL_GUARDED_BY(levels_mutex_);

  Mutex write_mutex_;  // lines go out whole
};

class Logger {
 public:
  // A logger that writes nothing, for code that was given none.
  Logger();
  Logger(std::shared_ptr<LogCore> core, std::string room);

  template <class... Fields>
  void trace(std::string_view message, const Fields&... fields) const {
    write(LogLevel::trace, message, fields...);
  }
  template <class... Fields>
  void debug(std::string_view message, const Fields&... fields) const {
    write(LogLevel::debug, message, fields...);
  }
  template <class... Fields>
  void info(std::string_view message, const Fields&... fields) const {
    write(LogLevel::info, message, fields...);
  }
  template <class... Fields>
  void warn(std::string_view message, const Fields&... fields) const {
    write(LogLevel::warn, message, fields...);
  }
  template <class... Fields>
  void error(std::string_view message, const Fields&... fields) const {
    write(LogLevel::error, message, fields...);
  }

  bool enabled(LogLevel level) const noexcept { return level >= level_->load(std::memory_order_relaxed); }

  // This logger with fields that every line carries. A field of the line itself wins over one of the same name.
  template <class... Fields>
  [[nodiscard]] Logger with(const Fields&... fields) const {
    return with_fields(make_fields(fields...));
  }
  // The same fields, in another room.
  [[nodiscard]] Logger in_room(std::string room) const;

 private:
  template <class... Fields>
  void write(LogLevel level, std::string_view message, const Fields&... fields) const {
    static_assert(sizeof...(Fields) % 2 == 0, "log fields come in pairs: a name and a value");
    if (!enabled(level)) return;
    emit(level, message, make_fields(fields...));
  }

  static std::vector<LogField> make_fields() { return {}; }
  template <class Value, class... Rest>
  static std::vector<LogField> make_fields(std::string_view name, const Value& value, const Rest&... rest) {
    std::vector<LogField> fields;
    fields.reserve(1 + sizeof...(Rest) / 2);
    add_fields(fields, name, value, rest...);
    return fields;
  }
  static void add_fields(std::vector<LogField>&) {}
  template <class Value, class... Rest>
  static void add_fields(std::vector<LogField>& fields, std::string_view name, const Value& value,
                         const Rest&... rest) {
    fields.push_back(make_log_field(name, value));
    add_fields(fields, rest...);
  }

  Logger with_fields(std::vector<LogField> fields) const;
  void emit(LogLevel level, std::string_view message, const std::vector<LogField>& fields) const;

  std::shared_ptr<LogCore> core_;
  const std::atomic<LogLevel>* level_;
  std::string room_;
  std::shared_ptr<const std::vector<LogField>> bound_;  // null when there are none
};

}  // namespace flyball
