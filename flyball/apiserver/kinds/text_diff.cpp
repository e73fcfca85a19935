#include "flyball/apiserver/kinds/text_diff.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::size_t kContext = 3;
constexpr std::size_t kMostCells = 25'000'000;  // beyond it, everything is shown as changed

using Lines = std::vector<std::string_view>;

// A line of the diff: ' ' in both, '-' only in the old, '+' only in the new.
struct Step {
  char mark;
  std::string_view line;
};

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

void append_all(std::vector<Step>& steps, char mark, std::span<const std::string_view> lines) {
  for (const std::string_view line : lines) steps.push_back({mark, line});
}

// Where the two texts agree, found as upstream's library does it, so that the same pieces show: the longest run of
// lines that both have, then the same to its left and to its right (Ratcliff and Obershelp). In a long text, lines that
// it is full of ("},") start no run.
class Agreement {
 public:
  struct Run {
    std::size_t a = 0;
    std::size_t b = 0;
    std::size_t size = 0;
  };

  Agreement(const Lines& a, const Lines& b) : a_(a), b_(b) {
    for (std::size_t i = 0; i < b.size(); ++i) places_[b[i]].push_back(i);
    if (b.size() < kLong) return;
    std::erase_if(places_, [&](const auto& line) { return line.second.size() > b.size() / 100 + 1; });
  }

  // In their order.
  std::vector<Run> runs() {
    std::vector<Run> found;
    std::vector<Part> open{{0, a_.size(), 0, b_.size()}};
    while (!open.empty()) {
      const Part part = open.back();
      open.pop_back();
      const Run run = longest(part);
      if (run.size == 0) continue;
      found.push_back(run);
      open.push_back({part.a, run.a, part.b, run.b});
      open.push_back({run.a + run.size, part.a_end, run.b + run.size, part.b_end});
    }
    std::ranges::sort(found, {}, &Run::a);
    return found;
  }

 private:
  static constexpr std::size_t kLong = 200;

  struct Part {
    std::size_t a;
    std::size_t a_end;
    std::size_t b;
    std::size_t b_end;
  };

  // The first of the longest, which grows by lines that start none.
  Run longest(const Part& part) {
    Run best{.a = part.a, .b = part.b};
    std::unordered_map<std::size_t, std::size_t> before;  // by the line of b that a run ends with: how long it is
    for (std::size_t i = part.a; i < part.a_end; ++i) {
      std::unordered_map<std::size_t, std::size_t> now;
      const auto found = places_.find(a_[i]);
      if (found == places_.end()) {
        before.clear();
        continue;
      }
      for (const std::size_t j : found->second) {
        if (j < part.b || j >= part.b_end) continue;
        const auto shorter = j == 0 ? before.end() : before.find(j - 1);
        const std::size_t size = shorter == before.end() ? 1 : shorter->second + 1;
        now[j] = size;
        if (size > best.size) best = {.a = i + 1 - size, .b = j + 1 - size, .size = size};
      }
      before = std::move(now);
    }
    while (best.a > part.a && best.b > part.b && a_[best.a - 1] == b_[best.b - 1]) {
      --best.a;
      --best.b;
      ++best.size;
    }
    while (best.a + best.size < part.a_end && best.b + best.size < part.b_end &&
           a_[best.a + best.size] == b_[best.b + best.size]) {
      ++best.size;
    }
    return best;
  }

  const Lines& a_;
  const Lines& b_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> places_;  // in b
};

std::vector<Step> compare(const Lines& a, const Lines& b) {
  std::vector<Step> steps;
  const std::span<const std::string_view> old_lines(a);
  const std::span<const std::string_view> new_lines(b);
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  const auto append_until = [&](std::size_t end_a, std::size_t end_b) {
    append_all(steps, '-', old_lines.subspan(at_a, end_a - at_a));
    append_all(steps, '+', new_lines.subspan(at_b, end_b - at_b));
  };
  const bool too_long = a.size() * b.size() > kMostCells;
  for (const Agreement::Run& run : too_long ? std::vector<Agreement::Run>() : Agreement(a, b).runs()) {
    append_until(run.a, run.b);
    append_all(steps, ' ', old_lines.subspan(run.a, run.size));
    at_a = run.a + run.size;
    at_b = run.b + run.size;
  }
  append_until(a.size(), b.size());
  return steps;
}

std::string range(std::size_t start, std::size_t length) {
  if (length == 1) return std::to_string(start + 1);
  return std::to_string(length == 0 ? start : start + 1) + "," + std::to_string(length);
}

struct Hunk {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Changes that are near share a hunk.
std::vector<Hunk> hunks_of(const std::vector<Step>& steps) {
  std::vector<Hunk> hunks;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].mark == ' ') continue;
    const std::size_t begin = i > kContext ? i - kContext : 0;
    const std::size_t end = std::min(i + kContext + 1, steps.size());
    if (!hunks.empty() && begin <= hunks.back().end) {
      hunks.back().end = end;
    } else {
      hunks.push_back({begin, end});
    }
  }
  return hunks;
}

std::size_t count(const std::vector<Step>& steps, std::size_t begin, std::size_t end, char without) {
  return static_cast<std::size_t>(std::count_if(steps.begin() + static_cast<std::ptrdiff_t>(begin),
                                                steps.begin() + static_cast<std::ptrdiff_t>(end),
                                                [&](const Step& step) { return step.mark != without; }));
}

}  // namespace

std::string unified_diff(json::View from, json::View to) {
  const std::string old_text = json::write(from, {.indent = 1});
  const std::string new_text = json::write(to, {.indent = 1});
  const Lines old_lines = split(old_text);
  const Lines new_lines = split(new_text);
  const std::vector<Step> steps = compare(old_lines, new_lines);
  const std::vector<Hunk> hunks = hunks_of(steps);
  std::string text;
  for (const Hunk& hunk : hunks) {
    text.append("@@ -").append(range(count(steps, 0, hunk.begin, '+'), count(steps, hunk.begin, hunk.end, '+')));
    text.append(" +").append(range(count(steps, 0, hunk.begin, '-'), count(steps, hunk.begin, hunk.end, '-')));
    text.append(" @@\n");
    for (std::size_t i = hunk.begin; i < hunk.end; ++i) {
      text.push_back(steps[i].mark);
      text.append(steps[i].line).push_back('\n');
    }
  }
  return text;
}

}  // namespace flyball::apiserver
