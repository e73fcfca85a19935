#include "flyball/apiserver/schema/regex.hpp"

#include <algorithm>

#include "flyball/apiserver/detail/regex_parse.hpp"
#include "flyball/apiserver/schema/go_print.hpp"

namespace flyball::apiserver {
namespace {

constexpr char32_t kNone = static_cast<char32_t>(-1);

bool is_word(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool contains(const Regex::Class& characters, char32_t c) {
  if (characters.size() == 1) return characters[0].first <= c && c <= characters[0].second;
  const auto behind = std::ranges::upper_bound(characters, c, {}, &std::pair<char32_t, char32_t>::first);
  return behind != characters.begin() && c <= (behind - 1)->second;
}

// The instructions the machine stands at, each once.
class Places {
 public:
  explicit Places(std::size_t size) : seen_(size, 0) {}
  bool add(std::uint32_t place) {
    if (seen_[place] == round_) return false;
    seen_[place] = round_;
    places_.push_back(place);
    return true;
  }
  void clear() {
    places_.clear();
    ++round_;
  }
  const std::vector<std::uint32_t>& all() const { return places_; }

 private:
  std::vector<std::uint32_t> seen_;
  std::vector<std::uint32_t> places_;
  std::uint32_t round_ = 1;
};

class Machine {
 public:
  explicit Machine(const Regex::Program& program)
      : program_(program), now_(program.code.size()), next_(program.code.size()) {}

  bool search(std::string_view text) {
    char32_t before = kNone;
    for (;;) {
      std::size_t length = 0;
      const char32_t ahead = text.empty() ? kNone : detail::decode(text, length);
      if ((before == kNone || !anchored_) && enter(now_, 0, before, ahead)) return true;
      if (ahead == kNone || now_.all().empty()) return false;
      text.remove_prefix(length);
      std::size_t unused = 0;
      const char32_t after = text.empty() ? kNone : detail::decode(text, unused);
      next_.clear();
      for (const std::uint32_t place : now_.all()) {
        const Regex::Instruction& at = program_.code[place];
        if (at.op != Regex::Op::characters || !contains(program_.classes[at.x], ahead)) continue;
        if (enter(next_, place + 1, ahead, after)) return true;
      }
      std::swap(now_, next_);
      before = ahead;
    }
  }

 private:
  static bool holds(Regex::Op op, char32_t before, char32_t ahead) {
    switch (op) {
      case Regex::Op::begin_text: return before == kNone;
      case Regex::Op::end_text: return ahead == kNone;
      case Regex::Op::begin_line: return before == kNone || before == '\n';
      case Regex::Op::end_line: return ahead == kNone || ahead == '\n';
      case Regex::Op::word_boundary: return is_word(before) != is_word(ahead);
      case Regex::Op::no_word_boundary: return is_word(before) == is_word(ahead);
      default: return true;
    }
  }

  // Goes wherever the place leads without taking a character; true when that is the end.
  bool enter(Places& places, std::uint32_t first, char32_t before, char32_t ahead) {
    pending_.assign(1, first);
    while (!pending_.empty()) {
      const std::uint32_t place = pending_.back();
      pending_.pop_back();
      if (!places.add(place)) continue;
      const Regex::Instruction& at = program_.code[place];
      switch (at.op) {
        case Regex::Op::match: return true;
        case Regex::Op::characters: break;
        case Regex::Op::split: pending_.push_back(at.y); [[fallthrough]];
        case Regex::Op::jump: pending_.push_back(at.x); break;
        default:
          if (holds(at.op, before, ahead)) pending_.push_back(place + 1);
      }
    }
    return false;
  }

  const Regex::Program& program_;
  const bool anchored_ = program_.code.front().op == Regex::Op::begin_text;  // it can match only from the start
  Places now_;
  Places next_;
  std::vector<std::uint32_t> pending_;
};

}  // namespace

Regex::Regex(std::string_view pattern) : program_(detail::compile_regex(detail::parse_regex(pattern))) {}

bool Regex::search(std::string_view text) const { return Machine(program_).search(text); }

}  // namespace flyball::apiserver
