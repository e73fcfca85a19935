#include "flyball/base/regex.hpp"

#include <algorithm>

#include "flyball/base/detail/regex_parse.hpp"

namespace flyball {
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

bool holds(Regex::Op op, char32_t before, char32_t ahead) {
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

// Whether some part matches: stops at the first way to the end.
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

// Finds where the preferred match is: threads are kept in the order of preference, each with where it began.
class Finder {
 public:
  explicit Finder(const Regex::Program& program)
      : program_(program), now_(program.code.size()), next_(program.code.size()) {}

  std::optional<Regex::Bounds> find(std::string_view text, std::size_t from) {
    std::size_t at = from;
    before_ = last_before(text, from);
    for (;;) {
      std::size_t length = 0;
      ahead_ = at == text.size() ? kNone : detail::decode(text.substr(at), length);
      if (!found_ && (before_ == kNone || !anchored_)) enter(now_, {0, at});
      if (now_.threads.empty() && (found_ || anchored_)) return found_;
      next_.clear();
      std::size_t unused = 0;
      const std::size_t after = at + length;
      const char32_t behind = after >= text.size() ? kNone : detail::decode(text.substr(after), unused);
      step(at, behind);
      if (ahead_ == kNone) return found_;
      std::swap(now_, next_);
      before_ = ahead_;
      at = after;
    }
  }

 private:
  struct Thread {
    std::uint32_t place = 0;
    std::size_t begin = 0;
  };
  struct Threads {
    explicit Threads(std::size_t size) : seen(size, 0) {}
    void clear() {
      threads.clear();
      ++round;
    }
    std::vector<std::uint32_t> seen;
    std::vector<Thread> threads;
    std::uint32_t round = 1;
  };

  static char32_t last_before(std::string_view text, std::size_t from) {
    if (from == 0) return kNone;
    std::size_t start = from - 1;
    while (start > 0 && from - start < 4 && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U) --start;
    std::size_t length = 0;
    const char32_t c = detail::decode(text.substr(start, from - start), length);
    return length == from - start ? c : 0xFFFD;
  }

  // Every thread that takes the character goes on; one that is at its end beats those that are less preferred.
  void step(std::size_t at, char32_t behind) {
    const char32_t character = ahead_;
    const char32_t before = before_;
    for (const Thread& thread : now_.threads) {
      const Regex::Instruction& instruction = program_.code[thread.place];
      if (instruction.op == Regex::Op::match) {
        found_ = Regex::Bounds{.begin = thread.begin, .end = at};
        break;
      }
      if (character == kNone || !contains(program_.classes[instruction.x], character)) continue;
      before_ = character;
      ahead_ = behind;
      enter(next_, {thread.place + 1, thread.begin});
      before_ = before;
      ahead_ = character;
    }
  }

  void enter(Threads& to, Thread first) {
    pending_.assign(1, first);
    while (!pending_.empty()) {
      const Thread thread = pending_.back();
      pending_.pop_back();
      if (to.seen[thread.place] == to.round) continue;
      to.seen[thread.place] = to.round;
      const Regex::Instruction& at = program_.code[thread.place];
      switch (at.op) {
        case Regex::Op::match:
        case Regex::Op::characters: to.threads.push_back(thread); break;
        case Regex::Op::split: pending_.push_back({at.y, thread.begin}); [[fallthrough]];
        case Regex::Op::jump: pending_.push_back({at.x, thread.begin}); break;
        default:
          if (holds(at.op, before_, ahead_)) pending_.push_back({thread.place + 1, thread.begin});
      }
    }
  }

  const Regex::Program& program_;
  Threads now_;
  Threads next_;
  std::vector<Thread> pending_;
  const bool anchored_ = program_.code.front().op == Regex::Op::begin_text;  // it can match only from the start
  std::optional<Regex::Bounds> found_;
  char32_t before_ = kNone;
  char32_t ahead_ = kNone;
};

}  // namespace

Regex::Regex(std::string_view pattern) : program_(detail::compile_regex(detail::parse_regex(pattern))) {}

bool Regex::search(std::string_view text) const { return Machine(program_).search(text); }

std::optional<Regex::Bounds> Regex::find(std::string_view text, std::size_t from) const {
  return Finder(program_).find(text, from);
}

std::vector<Regex::Bounds> Regex::find_all(std::string_view text, std::size_t most) const {
  std::vector<Bounds> all;
  std::size_t from = 0;
  std::optional<std::size_t> last_end;
  while (all.size() < most && from <= text.size()) {
    const std::optional<Bounds> match = find(text, from);
    if (!match) break;
    const bool empty_behind_last = match->end == from && last_end == match->begin;
    if (match->end == from) {
      std::size_t length = 1;
      if (from < text.size()) detail::decode(text.substr(from), length);
      from += length;
    } else {
      from = match->end;
    }
    last_end = match->end;
    if (!empty_behind_last) all.push_back(*match);
  }
  return all;
}

}  // namespace flyball
