#include "script.hpp"

#include <charconv>
#include <optional>

#include "flyball/base/error.hpp"

namespace flyball::differential {
namespace {

constexpr std::string_view kStepMark = "=== ";
constexpr std::string_view kBlanks = " \t\r";

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The word up to the next blank, which `text` then stands behind.
std::string_view take_word(std::string_view& text) {
  text = trim(text);
  const std::string_view word = text.substr(0, text.find(' '));
  text = trim(text.substr(word.size()));
  return word;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Script parse() {
    Script script;
    while (next_line() && !line_.starts_with(kStepMark)) {
      if (line_.starts_with("#")) script.about += std::string(trim(line_.substr(1))) + "\n";
      if (!line_.empty() && !line_.starts_with("#")) fail("expected a comment or a step (\"=== name\")");
    }
    if (script.about.empty()) fail("the file must begin with a comment that says what the case shows");
    while (more_) script.steps.push_back(step());
    if (script.steps.empty()) fail("there is no step (\"=== name\")");
    return script;
  }

 private:
  Step step() {
    Step step{.name = std::string(trim(line_.substr(kStepMark.size())))};
    while (next_line() && line_.starts_with("#")) {
    }
    if (!more_ || line_.empty()) fail("a step begins with a request: \"GET /api/v1/nodes\"");
    request_line(step);
    while (next_line() && !line_.empty() && !line_.starts_with(kStepMark)) {
      if (line_.starts_with(" ")) {
        step.target += trim(line_);
      } else {
        header(step);
      }
    }
    if (more_ && line_.empty()) body(step);
    return step;
  }

  void request_line(Step& step) {
    std::string_view rest = line_;
    const std::string_view word = take_word(rest);
    if (word == "EVENTS") {
      step.kind = Step::Kind::events;
      step.watch = take_word(rest);
      count(step, take_word(rest));
      step.bookmarks = rest == "bookmarks";
      return;
    }
    if (word == "FORGET") {
      step.kind = Step::Kind::forget;
      return;
    }
    step.method = word;
    if (word == "WATCH") {
      step.kind = Step::Kind::watch;
      step.method = "GET";
    } else if (word == "UNTIL") {
      step.kind = Step::Kind::until;
      step.condition = take_word(rest);
      step.method = take_word(rest);
    }
    step.target = rest;
    if (!step.target.starts_with("/")) fail("expected a path after " + step.method);
  }

  void count(Step& step, std::string_view word) {
    if (word == "end") return;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), step.count);
    if (error != std::errc() || step.count == 0) fail("expected a number of events, or end");
  }

  void header(Step& step) {
    const auto colon = line_.find(':');
    if (colon == std::string_view::npos) fail("expected a header, or an empty line before the body");
    const std::string_view name = line_.substr(0, colon);
    const std::string_view value = trim(line_.substr(colon + 1));
    if (name == "Body" && value == "raw") {
      step.raw = true;
    } else if (name == "From") {
      step.from = value;
    } else if (name == "Show") {
      for (std::string_view rest = value; !rest.empty();) {
        std::string_view word = take_word(rest);
        if (word.ends_with(',')) word.remove_suffix(1);
        step.show.emplace_back(word);
      }
    } else {
      step.headers.add(std::string(name), std::string(value));
    }
  }

  void body(Step& step) {
    const char* const begin = rest_.data();
    const char* end = begin;
    while (next_line() && !line_.starts_with(kStepMark)) end = rest_.data();
    step.body = std::string(begin, end);
    while (step.body.ends_with('\n')) step.body.pop_back();
  }

  bool next_line() {
    more_ = !rest_.empty();
    if (!more_) return false;
    const auto end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? rest_.substr(rest_.size()) : rest_.substr(end + 1);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    return true;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError({.line = number_, .column = 1}, {}, problem);
  }

  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
  bool more_ = true;
};

// "x*100" stands for a hundred x.
std::optional<std::string> repeated(std::string_view words) {
  const auto star = words.rfind('*');
  if (star == std::string_view::npos || star == 0) return std::nullopt;
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(words.data() + star + 1, words.data() + words.size(), count);
  if (error != std::errc() || end != words.data() + words.size()) return std::nullopt;
  std::string result;
  for (; count != 0; --count) result += words.substr(0, star);
  return result;
}

}  // namespace

Script parse_script(std::string_view text) { return Parser(text).parse(); }

std::vector<std::string> documents_of(std::string_view body) {
  constexpr std::string_view kBreak = "\n---\n";
  std::vector<std::string> documents;
  while (true) {
    const auto end = body.find(kBreak);
    documents.emplace_back(body.substr(0, end));
    if (end == std::string_view::npos) return documents;
    body.remove_prefix(end + kBreak.size());
  }
}

std::string expand(std::string_view text, const std::function<const std::string*(std::string_view)>& lookup) {
  std::string result;
  while (true) {
    const auto open = text.find('{');
    result += text.substr(0, open);
    if (open == std::string_view::npos) return result;
    text.remove_prefix(open);
    const auto close = text.find_first_of("}{", 1);
    if (close != std::string_view::npos && text[close] == '}') {
      const std::string_view words = text.substr(1, close - 1);
      const std::string* const found = lookup(words);
      const std::optional<std::string> many = found == nullptr ? repeated(words) : std::nullopt;
      if (found != nullptr || many) {
        result += found != nullptr ? *found : *many;
        text.remove_prefix(close + 1);
        continue;
      }
    }
    result += '{';
    text.remove_prefix(1);
  }
}

std::string encode_target(std::string_view target) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kCoded = " \"<>\\^`{|}";
  std::string coded;
  for (const char c : target) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && kCoded.find(c) == std::string_view::npos) {
      coded += c;
    } else {
      coded += '%';
      coded += kHex[byte >> 4U];
      coded += kHex[byte & 15U];
    }
  }
  return coded;
}

}  // namespace flyball::differential
