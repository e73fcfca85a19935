// The demo of the foundation: a manifest with a mistake, the error a person gets, the corrected manifest, a patch.
//
// Every step is checked; the exit status is 1 when one does not give what it should.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "flyball/json/diff.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/patch.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace {

namespace json = flyball::json;

constexpr std::string_view kManifest = R"(apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata:
  name: sessions
  labels:
    app: shop
spec:
  size: 3
  image: memcached:1.6
  size: 4
)";

constexpr std::string_view kPatch = R"([
  {"op": "test",    "path": "/spec/size", "value": 3},
  {"op": "replace", "path": "/spec/size", "value": 5}
])";

const bool kColour = isatty(STDOUT_FILENO) != 0;

std::string painted(std::string_view code, std::string_view text) {
  if (!kColour) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}
std::string red(std::string_view text) { return painted("31", text); }
std::string green(std::string_view text) { return painted("32", text); }
std::string bold(std::string_view text) { return painted("1", text); }

void headline(int step, std::string_view text) {
  std::cout << "\n" << bold(std::to_string(step) + ". " + std::string(text)) << "\n\n";
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// The text with line numbers; under the place of the mistake a caret and the message.
void show(std::string_view text, const flyball::InputError* mistake = nullptr) {
  std::size_t number = 0;
  for (const auto line : lines_of(text)) {
    const std::string label = std::to_string(++number);
    std::cout << std::string(5 - label.size(), ' ') << label << " | " << line << "\n";
    if (mistake == nullptr || mistake->position().line != number) continue;
    std::cout << "      | " << std::string(mistake->position().column - 1, ' ') << red("^ " + mistake->problem())
              << "\n";
  }
}

void show_diff(json::View from, json::View to) {
  for (const auto& change : json::diff(from, to)) {
    if (change.from.exists()) std::cout << "  " << red("- " + change.path + ": " + json::write(change.from)) << "\n";
    if (change.to.exists()) std::cout << "  " << green("+ " + change.path + ": " + json::write(change.to)) << "\n";
  }
}

bool all_as_expected = true;

void expect(bool holds, std::string_view what) {
  std::cout << "  " << (holds ? green("ok") : red("WRONG")) << "  " << what << "\n";
  all_as_expected = all_as_expected && holds;
}

void read_the_manifest_with_the_mistake() {
  headline(1, "A manifest comes in, and somebody wrote `size` twice");
  try {
    json::parse_yaml(kManifest);
    show(kManifest);
    expect(false, "the mistake is found");
  } catch (const flyball::InputError& error) {
    show(kManifest, &error);
    std::cout << "\n  " << error.what() << "\n\n";
    expect(error.position() == flyball::Position{10, 3}, "the error points at line 10, column 3");
    expect(error.path() == "spec.size", "and names the field spec.size");
  }
}

json::Value read_the_corrected_manifest() {
  headline(2, "Without the last line it reads");
  const std::string_view corrected = kManifest.substr(0, kManifest.rfind("  size: 4"));
  show(corrected);
  json::Value memcached = json::parse_yaml(corrected);
  std::cout << "\n";
  expect(memcached["spec"]["size"].is_int() && memcached["spec"]["size"].as_int() == 3, "spec.size is the integer 3");
  expect(json::parse_yaml(json::write_yaml(memcached)) == memcached, "written as YAML and read again it is the same");
  return memcached;
}

json::Value scale_it(const json::Value& memcached) {
  headline(3, "A JSON Patch scales it from 3 to 5");
  std::cout << kPatch << "\n\n";
  const json::Value scaled = json::apply_patch(memcached, json::parse(kPatch));
  show_diff(memcached, scaled);
  std::cout << "\n";
  expect(scaled["spec"]["size"].as_int() == 5, "spec.size is 5");
  expect(memcached["spec"]["size"].as_int() == 3, "the value it was made from has not changed");
  expect(json::apply_patch(memcached, json::to_json_patch(json::diff(memcached, scaled))) == scaled,
         "the difference, applied as a patch, gives the same");
  return scaled;
}

void try_the_patch_again(const json::Value& scaled) {
  headline(4, "The same patch again: its test no longer holds, and nothing is changed");
  try {
    json::apply_patch(scaled, json::parse(kPatch));
    expect(false, "the patch is refused");
  } catch (const json::PatchError& error) {
    std::cout << "  " << red(error.what()) << "\n\n";
    expect(error.operation() == 0, "the patch is refused at its first operation");
  }
}

void print_it(const json::Value& scaled) {
  headline(5, "The result, as YAML and as JSON");
  std::cout << json::write_yaml(scaled) << "\n" << json::write(scaled, {.indent = 2}) << "\n\n";
  expect(json::parse(json::write(scaled)) == scaled, "the JSON reads back as the same value");
}

}  // namespace

int main() {
  try {
    read_the_manifest_with_the_mistake();
    const json::Value memcached = read_the_corrected_manifest();
    const json::Value scaled = scale_it(memcached);
    try_the_patch_again(scaled);
    print_it(scaled);
  } catch (const flyball::Error& error) {
    expect(false, error.what());
  }
  std::cout << "\n" << (all_as_expected ? green("Every step did what it should.") : red("A step went wrong.")) << "\n";
  return all_as_expected ? 0 : 1;
}
