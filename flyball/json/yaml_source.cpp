#include "flyball/json/detail/yaml_source.hpp"

#include <algorithm>
#include <string_view>

namespace flyball::json::yaml {
namespace {

constexpr std::size_t kMostHeld = 100'000;
constexpr std::size_t kReadAhead = 4;  // "--- " is looked at before it is taken

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

}  // namespace

void Source::told(std::size_t up_to) {
  told_ = unsure_ = up_to;
  held_ = 0;
}

void Source::told_what_was_read() {
  told_ = read_ - std::min(read_, kReadAhead);
  unsure_ = read_;
  held_ = 0;
}

std::streamsize Source::xsgetn(char* into, std::streamsize) {
  if (read_ == text_.size() || cut_) return 0;
  *into = text_[read_++];
  if (is_one_of(*into, "[]{},:") && ++held_ == kMostHeld) find_brackets();
  return 1;
}

// Whether it is brackets that are being read: in quotes, or in a block of text, they are just text and cost nothing.
void Source::find_brackets() {
  std::size_t at = told_;
  while (at < read_) {
    const char c = text_[at];
    if (is_one_of(c, "[{")) {
      cut_ = at;
      return;
    }
    if (is_one_of(c, "#%")) {
      at = std::min(text_.find('\n', at), text_.size());
    } else if (is_one_of(c, "!&*")) {
      at = std::min(text_.find_first_of(" \t\n[]{},", at + 1), text_.size());
    } else if (at < unsure_ || is_one_of(c, " \t\r\n-?:,.]}")) {
      ++at;
    } else {
      return;
    }
  }
  told(at);  // comments, for example
}

}  // namespace flyball::json::yaml
