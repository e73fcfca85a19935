#include "flyball/base/log.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include <unistd.h>

#include "flyball/base/error.hpp"

namespace flyball {
namespace {

constexpr std::atomic<LogLevel> kSilent = LogLevel::off;

struct Levels {
  std::map<std::string, LogLevel, std::less<>> rooms;
  std::optional<LogLevel> others;
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

[[noreturn]] void reject(std::string_view spec, const std::string& problem) {
  throw InputError({}, "",
                   "log levels \"" + std::string(spec) + "\": " + problem +
                       ". Write rooms with levels and one level for the rest, like \"client=debug,info\"");
}

LogLevel parse_level(std::string_view spec, std::string_view name) {
  for (int i = 0; i <= static_cast<int>(LogLevel::off); ++i) {
    const auto level = static_cast<LogLevel>(i);
    if (to_string(level) == name) return level;
  }
  reject(spec, "\"" + std::string(name) + "\" is not a level; expected trace, debug, info, warn, error or off");
}

void parse_item(std::string_view spec, std::string_view item, Levels& levels) {
  if (item.empty()) reject(spec, "an item is empty");
  const std::size_t equals = item.find('=');
  if (equals == std::string_view::npos) {
    if (levels.others) reject(spec, "there are two levels without a room");
    levels.others = parse_level(spec, item);
    return;
  }
  const std::string room(trim(item.substr(0, equals)));
  if (room.empty()) reject(spec, "\"" + std::string(item) + "\" names no room");
  const LogLevel level = parse_level(spec, trim(item.substr(equals + 1)));
  if (!levels.rooms.emplace(room, level).second) reject(spec, "the room \"" + room + "\" comes twice");
}

Levels parse_levels(std::string_view spec) {
  Levels levels;
  std::string_view rest = spec;
  while (true) {
    const std::size_t comma = rest.find(',');
    parse_item(spec, trim(rest.substr(0, comma)), levels);
    if (comma == std::string_view::npos) return levels;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

StderrSink::StderrSink() : terminal_(isatty(STDERR_FILENO) == 1) {}

void StderrSink::write(std::string_view line) {
  while (!line.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // there is nowhere left to complain to
    line.remove_prefix(static_cast<std::size_t>(written));
  }
}

void CapturingSink::write(std::string_view line) {
  MutexLock lock(mutex_);
  text_ += line;
}

std::string CapturingSink::take() {
  MutexLock lock(mutex_);
  return std::exchange(text_, {});
}

std::string log_levels_from_environment() {
  const char* spec = std::getenv("FLYBALL_LOG");  // NOLINT(concurrency-mt-unsafe): nobody of ours sets the environment
  return spec == nullptr || *spec == '\0' ? "info" : spec;
}

LogCore::LogCore(const Clock& clock, LogSink& sink, const Options& options)
    : clock_(clock), sink_(sink), encoding_(options.encoding) {
  set_levels(options.levels);
}

void LogCore::set_levels(std::string_view spec) {
  Levels levels = parse_levels(spec);
  MutexLock lock(levels_mutex_);
  overrides_ = std::move(levels.rooms);
  default_level_ = levels.others.value_or(LogLevel::info);
  for (const auto& [room, level] : rooms_) {
    const auto found = overrides_.find(room);
    level->store(found == overrides_.end() ? default_level_ : found->second, std::memory_order_relaxed);
  }
}

const std::atomic<LogLevel>& LogCore::room_level(const std::string& room) {
  MutexLock lock(levels_mutex_);
  auto& entry = rooms_[room];
  if (entry == nullptr) {
    const auto found = overrides_.find(room);
    entry = std::make_unique<std::atomic<LogLevel>>(found == overrides_.end() ? default_level_ : found->second);
  }
  return *entry;
}

void LogCore::write(const LogRecord& record) {
  const std::string line =
      encoding_ == LogEncoding::json ? encode_json(record) : encode_console(record, sink_.is_terminal());
  MutexLock lock(write_mutex_);
  sink_.write(line);
}

Logger::Logger() : level_(&kSilent) {}

Logger::Logger(std::shared_ptr<LogCore> core, std::string room)
    : core_(std::move(core)), level_(&core_->room_level(room)), room_(std::move(room)) {}

Logger Logger::in_room(std::string room) const {
  if (core_ == nullptr) return *this;
  Logger other(core_, std::move(room));
  other.bound_ = bound_;
  return other;
}

Logger Logger::with_fields(std::vector<LogField> fields) const {
  Logger other = *this;
  if (bound_ != nullptr) fields.insert(fields.begin(), bound_->begin(), bound_->end());
  other.bound_ = std::make_shared<const std::vector<LogField>>(std::move(fields));
  return other;
}

void Logger::emit(LogLevel level, std::string_view message, const std::vector<LogField>& fields) const {
  const std::span<const LogField> bound = bound_ == nullptr ? std::span<const LogField>() : std::span(*bound_);
  core_->write({level, core_->clock_.wall_now(), room_, message, bound, fields});
}

}  // namespace flyball
