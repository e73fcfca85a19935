#include "normalize.hpp"

#include <algorithm>
#include <functional>
#include <regex>
#include <tuple>

#include "flyball/json/write.hpp"

namespace flyball::differential {
namespace {

const std::regex& uid_pattern() {
  static const std::regex pattern("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  return pattern;
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "2026-11-16T05:06:51Z", also with fractions. Years before 2020 are those that scripts make up.
bool is_time_of_today(std::string_view text) {
  static const std::regex pattern(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))");
  return std::regex_match(text.begin(), text.end(), pattern) && text >= "2020";
}

std::string replace_all(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// Every match is replaced by what `by` says.
std::string replace_matches(const std::string& text, const std::regex& pattern,
                            const std::function<std::string(const std::smatch&)>& by) {
  std::string result;
  auto rest = text.begin();
  for (std::sregex_iterator it(text.begin(), text.end(), pattern); it != std::sregex_iterator(); ++it) {
    result.append(rest, (*it)[0].first);
    result += by(*it);
    rest = (*it)[0].second;
  }
  return result.append(rest, text.end());
}

// Some refusals end in two Go values side by side, in a form that its library does not promise to keep.
std::string without_go_diff(std::string text) {
  static const std::regex start(R"([ \xa0\xc2]*&?[a-z]+\.[A-Z][A-Za-z]+\{\n)");
  std::smatch match;
  if (text.find("{\n") == std::string::npos) return text;  // std::regex takes a frame of the stack per character
  if (!std::regex_search(text, match, start)) return text;
  return match.prefix().str() + "<a diff of Go values>";
}

// Refusals of patches quote the whole patched object, with times in it and in the order of Go's fields.
std::string without_document(std::string text) {
  const auto start = text.find(R"("{\")");
  const auto end = text.rfind("}\": ");
  if (start == std::string::npos || end == std::string::npos || end < start) return text;
  return text.substr(0, start) + "<the patched object>" + text.substr(end + 2);
}

// As the server sorts them, with and without the time.
auto order_of(json::View entry, bool with_time) {
  return std::tuple(entry["operation"].string_or(""), with_time ? entry["time"].string_or("") : "",
                    entry["manager"].string_or(""), entry["apiVersion"].string_or(""),
                    entry["subresource"].string_or(""));
}

// A column that tells how long ago something was: it says something else every day.
bool shows_age(json::View column) {
  const std::string_view name = column["name"].string_or("");
  return name == "Age" || name == "Last Seen" || name == "First Seen" || name == "Duration" ||
         column["type"].string_or("") == "date";
}

}  // namespace

json::Value Normalizer::body(json::View raw, const Context& context) {
  context_ = context;
  aged_.clear();
  for (const json::View column : raw["columnDefinitions"].items()) aged_.push_back(shows_age(column));
  learn(raw);
  const std::string_view kind = raw["kind"].string_or("");
  const bool list = kind.ends_with("List") || kind == "Table" || context.bookmark;
  json::Builder result;
  if (!list) {
    write(raw, {}, result);
    return result.finish();
  }
  result.begin_object();
  for (const auto [name, member] : raw.entries()) {
    if (name == "metadata" && member.is_object()) {
      write_list_metadata(member, result.key(name));
    } else {
      write_member(name, member, result);
    }
  }
  result.end();
  return result.finish();
}

std::string Normalizer::text(std::string_view text) { return string(text, {}); }

// Names that the server has made up come first: messages may speak of them before the object shows its name.
void Normalizer::learn(json::View value) {
  for (const json::View item : value.items()) learn(item);
  for (const auto [key, member] : value.entries()) learn(member);
  const std::string_view name = value["name"].string_or("");
  learn_name(value["generateName"].string_or(""), name);
  // A refusal names an object that nobody has seen.
  static const std::regex given("generateName: \"?([^\",} \n]+)");
  if (!value.contains("causes")) return;
  for (std::sregex_iterator it(script_.begin(), script_.end(), given); it != std::sregex_iterator(); ++it) {
    learn_name((*it)[1].str(), name);
  }
}

void Normalizer::learn_name(std::string_view stem, std::string_view name) {
  if (stem.empty() || name.size() <= stem.size() || !name.starts_with(stem) || names_.contains(name)) return;
  names_.emplace(name, std::string(stem) + "<generated" + std::to_string(names_.size() + 1) + ">");
}

void Normalizer::write(json::View value, std::string_view key, json::Builder& to) {
  if (value.is_object()) {
    to.begin_object();
    for (const auto [name, member] : value.entries()) write_member(name, member, to);
    to.end();
  } else if (value.is_array() && key == "managedFields") {
    write_managed_fields(value, to);
  } else if (value.is_array() && key == "columnDefinitions") {
    write_columns(value, to);
  } else if (value.is_array() && key == "cells") {
    write_cells(value, to);
  } else if (value.is_array() && key == "causes") {
    write_causes(value, to);
  } else if (value.is_array()) {
    to.begin_array();
    for (const json::View item : value.items()) write(item, key, to);
    to.end();
  } else if (value.is_string()) {
    to.string(string(value.as_string(), key));
  } else if (value.is_int() && (key == "nodePort" || key == "healthCheckNodePort") &&
             !in_script(std::to_string(value.as_int()))) {
    to.string(symbol(ports_, std::to_string(value.as_int()), "port"));
  } else {
    to.value(value);
  }
}

// The words that describe a built-in kind's columns are upstream's own.
void Normalizer::write_columns(json::View columns, json::Builder& to) {
  to.begin_array();
  for (const json::View column : columns.items()) {
    to.begin_object();
    for (const auto [name, member] : column.entries()) {
      if (name != "description") write_member(name, member, to);
    }
    to.end();
  }
  to.end();
}

void Normalizer::write_member(std::string_view name, json::View member, json::Builder& to) {
  to.key(string(name, {}));
  if (name == "continue" && !member.string_or("").empty()) {
    to.string("<continue>");
  } else if (name == "serverAddress") {
    to.string("<address>");
  } else if (context_.version && name != "major" && name != "minor" && name != "gitVersion") {
    to.string("<text>");
  } else {
    write(member, name, to);
  }
}

void Normalizer::write_list_metadata(json::View metadata, json::Builder& to) {
  to.begin_object();
  for (const auto [name, member] : metadata.entries()) {
    if (name == "resourceVersion") {
      to.key(name).string(list_version(member.string_or("")));
    } else {
      write_member(name, member, to);
    }
  }
  to.end();
}

void Normalizer::write_managed_fields(json::View list, json::Builder& to) {
  std::vector<json::View> entries(list.items().begin(), list.items().end());
  const bool in_order = std::is_sorted(
      entries.begin(), entries.end(), [](json::View a, json::View b) { return order_of(a, true) < order_of(b, true); });
  std::stable_sort(entries.begin(), entries.end(),
                   [](json::View a, json::View b) { return order_of(a, false) < order_of(b, false); });
  to.begin_array();
  if (!in_order) to.string("<not in the order of operation, time, manager, apiVersion, subresource>");
  for (const json::View entry : entries) {
    to.begin_object();
    for (const auto [name, member] : entry.entries()) {
      to.key(name);
      if (name == "fieldsV1") {
        to.string(string(json::write(member, {.sort_keys = true, .escape_html = false}), {}));
      } else {
        write(member, name, to);
      }
    }
    to.end();
  }
  to.end();
}

// Conflicts with several managers come in an order of chance; those with one are in order.
void Normalizer::write_causes(json::View causes, json::Builder& to) {
  std::vector<json::View> sorted(causes.items().begin(), causes.items().end());
  if (causes[0]["reason"].string_or("") == "FieldManagerConflict") {
    std::stable_sort(sorted.begin(), sorted.end(), [](json::View a, json::View b) {
      return a["message"].string_or("") < b["message"].string_or("");
    });
  }
  to.begin_array();
  for (const json::View cause : sorted) write(cause, {}, to);
  to.end();
}

void Normalizer::write_cells(json::View cells, json::Builder& to) {
  static const std::regex age("([0-9]+[dhmsy])+");
  std::size_t index = 0;
  to.begin_array();
  for (const json::View cell : cells.items()) {
    const std::string text(cell.string_or(""));
    const bool aged = index < aged_.size() && aged_[index];
    ++index;
    if (aged && std::regex_match(text, age)) {
      to.string("<age>");
    } else {
      write(cell, "cell", to);
    }
  }
  to.end();
}

std::string Normalizer::string(std::string_view text, std::string_view key) {
  if (is_time_of_today(text) && !in_script(text)) return "<time>";
  if (key == "resourceVersion" && all_digits(text) && text != "0") return symbol(versions_, text, "rv");
  std::string result = replace_ports(replace_ips(replace_uids(without_document(without_go_diff(std::string(text))))));
  for (const auto& [name, by] : names_) result = replace_all(std::move(result), name, by);
  result = replace_all(std::move(result), ns_, "{ns}");
  return replace_versions(result);
}

std::string Normalizer::list_version(std::string_view version) {
  if (!all_digits(version)) return std::string(version);
  if (context_.bookmark) return "<bookmark>";
  if (context_.exact_list) {
    if (const auto found = versions_.find(version); found != versions_.end()) return found->second;
    if (const auto found = lists_.find(version); found != lists_.end()) return found->second;
  }
  if (context_.exact_list) return "<a version that nobody has named>";
  const std::string result = "<list" + std::to_string(++list_count_) + ">";
  lists_.insert_or_assign(std::string(version), result);
  return result;
}

std::string Normalizer::symbol(Symbols& symbols, std::string_view what, std::string_view stem) {
  const auto found = symbols.find(what);
  if (found != symbols.end()) return found->second;
  std::string made = "<" + std::string(stem) + std::to_string(symbols.size() + 1) + ">";
  symbols.emplace(what, made);
  return made;
}

std::string Normalizer::replace_uids(std::string text) {
  if (text.size() < 36) return text;
  return replace_matches(text, uid_pattern(), [&](const std::smatch& match) {
    return in_script(match.str()) ? match.str() : symbol(uids_, match.str(), "uid");
  });
}

std::string Normalizer::replace_ips(std::string text) {
  static const std::regex pattern(R"(\b10\.0\.0\.\d+)");
  if (text.find("10.0.0.") == std::string::npos) return text;
  return replace_matches(text, pattern, [&](const std::smatch& match) {
    // The first one is the API server's own, always.
    return in_script(match.str()) || match.str() == "10.0.0.1" ? match.str() : symbol(ips_, match.str(), "ip");
  });
}

// In a table: 80:31234/TCP.
std::string Normalizer::replace_ports(std::string text) {
  static const std::regex pattern(R"(:(3[0-2]\d{3})/)");
  if (text.find('/') == std::string::npos) return text;
  return replace_matches(text, pattern, [&](const std::smatch& match) {
    return in_script(match[1].str()) ? match.str() : ":" + symbol(ports_, match[1].str(), "port") + "/";
  });
}

// In a message that speaks of versions: those known by their symbol. Others, and those after "current: " or in
// parentheses, tell how far the server is.
std::string Normalizer::replace_versions(std::string_view text) {
  static const std::regex about("resource ?version", std::regex::icase);
  static const std::regex number(R"(\b\d+\b)");
  std::string result(text);
  if (!std::regex_search(result, about)) return result;
  return replace_matches(result, number, [&](const std::smatch& match) {
    const char before = match.prefix().length() == 0 ? ' ' : *(match.prefix().second - 1);
    if (before == '(' || match.prefix().str().ends_with("current: ")) return std::string("<version>");
    const auto found = versions_.find(match.str());
    if (found != versions_.end()) return found->second;
    return in_script(match.str()) ? match.str() : std::string("<version>");
  });
}

}  // namespace flyball::differential
