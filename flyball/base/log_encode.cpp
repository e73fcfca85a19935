#include "flyball/base/log_encode.hpp"

#include <cmath>
#include <vector>

namespace flyball {
namespace {

// The fields to print: where a name comes twice, only the last.
std::vector<const LogField*> fields_of(const LogRecord& record) {
  std::vector<const LogField*> all;
  for (const LogField& field : record.bound) all.push_back(&field);
  for (const LogField& field : record.fields) all.push_back(&field);
  std::vector<const LogField*> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool last = true;
    for (std::size_t j = i + 1; j < all.size(); ++j) last = last && all[j]->name != all[i]->name;
    if (last) kept.push_back(all[i]);
  }
  return kept;
}

bool is_record_key(std::string_view name) { return name == "ts" || name == "level" || name == "room" || name == "msg"; }

void append_scalar(std::string& out, const LogValue& value) {
  if (std::holds_alternative<std::nullptr_t>(value)) out += "null";
  if (const auto* b = std::get_if<bool>(&value)) out += *b ? "true" : "false";
  if (const auto* i = std::get_if<std::int64_t>(&value)) out += std::to_string(*i);
  if (const auto* u = std::get_if<std::uint64_t>(&value)) out += std::to_string(*u);
  if (const auto* d = std::get_if<double>(&value)) append_number(out, *d);
}

void append_json_value(std::string& out, const LogValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return append_json_string(out, *text);
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr || std::isfinite(*number)) return append_scalar(out, value);
  out += '"';  // JSON has no infinity
  append_scalar(out, value);
  out += '"';
}

// Plain when it cannot be misread, else as a JSON string.
void append_word(std::string& out, std::string_view text) {
  bool plain = !text.empty();
  for (const char c : text) plain = plain && c > ' ' && c < 0x7F && c != '"' && c != '=' && c != '\\';
  if (plain) {
    out += text;
  } else {
    append_json_string(out, text);
  }
}

// A message is prose: spaces stay, and only what would break the line or the terminal is escaped.
void append_prose(std::string& out, std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  out.append(quoted, 1, quoted.size() - 2);
}

constexpr std::string_view kReset = "\x1b[0m";
constexpr std::string_view kDim = "\x1b[2m";

struct LevelStyle {
  std::string_view label;
  std::string_view colour;
};
constexpr LevelStyle kStyles[] = {{"TRACE", "\x1b[2m"},  {"DEBUG", "\x1b[36m"}, {"INFO ", "\x1b[32m"},
                                  {"WARN ", "\x1b[33m"}, {"ERROR", "\x1b[31m"}, {"OFF  ", ""}};

}  // namespace

std::string_view to_string(LogLevel level) noexcept {
  constexpr std::string_view kNames[] = {"trace", "debug", "info", "warn", "error", "off"};
  return kNames[static_cast<std::size_t>(level)];
}

std::string encode_json(const LogRecord& record) {
  std::string out = "{\"ts\":\"" + rfc3339_millis(record.time) + "\",\"level\":\"";
  out += to_string(record.level);
  out += "\",\"room\":";
  append_json_string(out, record.room);
  out += ",\"msg\":";
  append_json_string(out, record.message);
  for (const LogField* field : fields_of(record)) {
    out += ',';
    append_json_string(out, is_record_key(field->name) ? field->name + "_" : field->name);
    out += ':';
    append_json_value(out, field->value);
  }
  out += "}\n";
  return out;
}

std::string encode_console(const LogRecord& record, bool colour) {
  const auto paint = [colour](std::string_view code) { return colour ? code : std::string_view(); };
  const LevelStyle& style = kStyles[static_cast<std::size_t>(record.level)];
  std::string out;
  out.append(paint(kDim)).append(rfc3339_millis(record.time)).append(paint(kReset)).append(" ");
  out.append(paint(style.colour)).append(style.label).append(paint(kReset)).append(" ");
  append_word(out, record.room);
  out += ": ";
  append_prose(out, record.message);
  for (const LogField* field : fields_of(record)) {
    out.append(" ").append(paint(kDim));
    append_word(out, field->name);
    out.append("=").append(paint(kReset));
    if (const auto* text = std::get_if<std::string>(&field->value)) {
      append_word(out, *text);
    } else {
      append_scalar(out, field->value);
    }
  }
  out += '\n';
  return out;
}

}  // namespace flyball
