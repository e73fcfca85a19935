#include "answer.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "flyball/base/error.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::differential {
namespace {

constexpr std::string_view kStepMark = "=== ";

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? text.substr(text.size()) : text.substr(end + 1);
  return line;
}

// The text up to the next step, which `text` then begins with.
std::string_view take_body(std::string_view& text) {
  const std::string_view from = text;
  while (!text.empty() && !text.starts_with(kStepMark)) take_line(text);
  return from.substr(0, from.size() - text.size());
}

std::string readable(json::View value) {
  if (!value.exists()) return {};
  std::string text = json::write_yaml(value);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

class Comparison {
 public:
  std::vector<Difference> run(const Answer& recorded, const Answer& found) {
    step_ = recorded.step;
    if (recorded.outcome != found.outcome) add("outcome", recorded.outcome, found.outcome);
    headers(recorded, found);
    values("body", recorded.body, found.body);
    return std::move(differences_);
  }

 private:
  void headers(const Answer& recorded, const Answer& found) {
    const auto a = by_name(recorded);
    const auto b = by_name(found);
    std::set<std::string> names;
    for (const auto& [name, lines] : a) names.insert(name);
    for (const auto& [name, lines] : b) names.insert(name);
    for (const std::string& name : names) {
      const std::string old = a.contains(name) ? a.at(name) : "";
      const std::string now = b.contains(name) ? b.at(name) : "";
      if (old != now) add("header " + name, old, now);
    }
  }

  static std::map<std::string, std::string> by_name(const Answer& answer) {
    std::map<std::string, std::string> result;
    for (const std::string& header : answer.headers) {
      std::string& lines = result[header.substr(0, header.find(':'))];
      if (!lines.empty()) lines += '\n';
      lines += header;
    }
    return result;
  }

  void values(const std::string& path, json::View a, json::View b) {
    if (a == b) return;
    if (a.is_object() && b.is_object()) {
      for (const auto [key, value] : a.entries()) values(path + "." + std::string(key), value, b[key]);
      for (const auto [key, value] : b.entries()) {
        if (!a.contains(key)) values(path + "." + std::string(key), {}, value);
      }
    } else if (a.is_array() && b.is_array()) {
      const std::size_t size = std::max(a.size(), b.size());
      for (std::size_t i = 0; i < size; ++i) values(path + "[" + std::to_string(i) + "]", a[i], b[i]);
    } else {
      add(path, readable(a), readable(b));
    }
  }

  void add(std::string field, std::string recorded, std::string found) {
    differences_.push_back({step_, std::move(field), std::move(recorded), std::move(found)});
  }

  std::string step_;
  std::vector<Difference> differences_;
};

void put_lines(std::string& to, std::string_view mark, std::string_view text) {
  if (text.empty()) {
    to += "      " + std::string(mark) + " (nothing)\n";
    return;
  }
  while (!text.empty()) to += "      " + std::string(mark) + " " + std::string(take_line(text)) + "\n";
}

}  // namespace

std::string write_answers(const std::vector<Answer>& answers) {
  std::string text = "# What kube-apiserver answers. Written by tests/differential/record, not by hand.\n";
  for (const Answer& answer : answers) {
    text += "\n" + std::string(kStepMark) + answer.step + "\n" + answer.outcome + "\n";
    for (const std::string& header : answer.headers) text += header + "\n";
    if (!answer.body.is_null()) text += "\n" + json::write_yaml(answer.body);
  }
  return text;
}

std::vector<Answer> read_answers(std::string_view text) {
  std::vector<Answer> answers;
  take_body(text);
  while (!text.empty()) {
    Answer answer{.step = std::string(take_line(text).substr(kStepMark.size()))};
    std::string_view rest = take_body(text);
    answer.outcome = take_line(rest);
    while (!rest.empty() && !rest.starts_with('\n')) answer.headers.emplace_back(take_line(rest));
    if (rest.find_first_not_of('\n') != std::string_view::npos) answer.body = json::parse_yaml(rest);
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::vector<Difference> compare(const std::vector<Answer>& recorded, const std::vector<Answer>& found) {
  std::vector<Difference> differences;
  const std::size_t shared = std::min(recorded.size(), found.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (recorded[i].step != found[i].step) {
      differences.push_back({recorded[i].step, "step", recorded[i].step, found[i].step});
      continue;
    }
    for (Difference& difference : Comparison().run(recorded[i], found[i])) differences.push_back(std::move(difference));
  }
  for (std::size_t i = shared; i < recorded.size(); ++i) {
    differences.push_back({recorded[i].step, "step", recorded[i].step, {}});
  }
  for (std::size_t i = shared; i < found.size(); ++i) differences.push_back({found[i].step, "step", {}, found[i].step});
  return differences;
}

std::string describe(const std::vector<Difference>& differences) {
  std::string text;
  std::string_view step;
  for (const Difference& difference : differences) {
    if (difference.step != step) text += "  step " + difference.step + " (- kube-apiserver, + here)\n";
    step = difference.step;
    text += "    " + difference.field + "\n";
    put_lines(text, "-", difference.recorded);
    put_lines(text, "+", difference.found);
  }
  return text;
}

}  // namespace flyball::differential
