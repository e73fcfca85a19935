#include "flyball/apiserver/kinds/text_diff.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::size_t kContext = 3;
constexpr std::size_t kMostCells = 4'000'000;

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

// The longest common subsequence of the lines between the common head and tail.
void append_middle(std::vector<Step>& steps, std::span<const std::string_view> a, std::span<const std::string_view> b) {
  const std::size_t width = b.size() + 1;
  if ((a.size() + 1) * width > kMostCells) {
    append_all(steps, '-', a);
    append_all(steps, '+', b);
    return;
  }
  std::vector<std::uint32_t> longest((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      longest[i * width + j] = a[i] == b[j] ? longest[(i + 1) * width + j + 1] + 1
                                            : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      steps.push_back({' ', a[i]});
      ++i;
      ++j;
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
      steps.push_back({'-', a[i++]});
    } else {
      steps.push_back({'+', b[j++]});
    }
  }
  append_all(steps, '-', a.subspan(i));
  append_all(steps, '+', b.subspan(j));
}

std::vector<Step> compare(const Lines& a, const Lines& b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < most && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < most - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  std::vector<Step> steps;
  const std::span<const std::string_view> all(a);
  append_all(steps, ' ', all.first(head));
  append_middle(steps, all.subspan(head, a.size() - head - tail),
                std::span<const std::string_view>(b).subspan(head, b.size() - head - tail));
  append_all(steps, ' ', all.last(tail));
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
