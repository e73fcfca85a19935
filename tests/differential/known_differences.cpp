#include "known_differences.hpp"

#include <algorithm>

#include "flyball/base/error.hpp"

namespace flyball::differential {
namespace {

constexpr std::string_view kDash = " — ";

bool covers(const KnownDifference& known, const std::string& case_name, const Difference& difference) {
  if (known.where != case_name + "/" + difference.step || !difference.field.starts_with(known.field)) return false;
  if (difference.field.size() == known.field.size()) return true;
  const char next = difference.field[known.field.size()];
  return next == '.' || next == '[';
}

KnownDifference parse_line(std::string_view line, std::size_t number) {
  const auto colon = line.find(": ");
  const auto dash = line.find(kDash);
  if (colon == std::string_view::npos || dash == std::string_view::npos || dash < colon) {
    throw InputError({.line = number, .column = 1}, {}, "expected \"topic/case/step: field — reason\"");
  }
  return {.where = std::string(line.substr(0, colon)),
          .field = std::string(line.substr(colon + 2, dash - colon - 2)),
          .reason = std::string(line.substr(dash + kDash.size()))};
}

}  // namespace

std::vector<KnownDifference> parse_known_differences(std::string_view text) {
  std::vector<KnownDifference> known;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!line.empty() && !line.starts_with('#')) known.push_back(parse_line(line, number));
  }
  return known;
}

Judgement judge(const std::string& case_name, const std::vector<Difference>& differences,
                const std::vector<KnownDifference>& known) {
  Judgement judgement;
  for (const Difference& difference : differences) {
    const bool expected = std::any_of(known.begin(), known.end(),
                                      [&](const KnownDifference& one) { return covers(one, case_name, difference); });
    if (!expected) judgement.unknown.push_back(difference);
  }
  for (const KnownDifference& one : known) {
    if (one.where.substr(0, one.where.rfind('/')) != case_name) continue;
    const bool differs = std::any_of(differences.begin(), differences.end(),
                                     [&](const Difference& difference) { return covers(one, case_name, difference); });
    if (!differs) judgement.outdated.push_back(one);
  }
  return judgement;
}

}  // namespace flyball::differential
