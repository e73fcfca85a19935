// Go agrees: what tests/go/vectors recorded from encoding/json, sigs.k8s.io/json and sigs.k8s.io/yaml.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/json/detail/utf8.hpp"
#include "flyball/json/detail/yaml_scalar.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::json {
namespace {

struct Vector {
  std::string kind;
  std::string in;
  std::optional<std::string> out;  // nothing: Go reports an error
};

std::vector<Vector> load(const std::string& name, std::string_view kind) {
  std::ifstream file(std::string(FLYBALL_SOURCE_DIR) + "/tests/data/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<Vector> vectors;
  for (std::string line; std::getline(file, line);) {
    const Value record = parse(line);
    Vector vector{std::string(record["kind"].as_string()), std::string(record["in"].string_or("")), std::nullopt};
    if (vector.kind != kind) continue;
    if (record.contains("in64")) vector.in = *yaml::decode_base64(record["in64"].as_string());
    if (record.contains("out")) vector.out = record["out"].as_string();
    vectors.push_back(std::move(vector));
  }
  return vectors;
}

std::string shown(const std::optional<std::string>& text) {
  return text ? write(Value(*text), {.escape_html = false}) : "an error";
}

// Our answer, or nothing for an error.
template <class F>
std::optional<std::string> attempt(F&& convert) {
  try {
    return convert();
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// Where we differ on purpose, and why.
struct Exception {
  const char* reason;
  std::function<bool(const std::string& in)> applies;
};

Exception inputs(const char* reason, std::set<std::string> texts) {
  return {reason, [texts = std::move(texts)](const std::string& in) { return texts.contains(in); }};
}

Exception holding(const char* reason, std::vector<std::string> parts) {
  return {reason, [parts = std::move(parts)](const std::string& in) {
            return std::ranges::any_of(parts, [&](const auto& part) { return in.find(part) != std::string::npos; });
          }};
}

bool is_utf8(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.data() + at, text.data() + text.size());
    if (length == 0) return false;
    at += length;
  }
  return true;
}

// Every case must agree with Go or be an exception, and every exception must still be needed.
void compare(const std::vector<Vector>& vectors, const std::vector<Exception>& exceptions, auto&& convert) {
  std::vector<std::size_t> used(exceptions.size());
  std::size_t equal = 0;
  for (const Vector& vector : vectors) {
    const auto ours = attempt([&] { return convert(vector.in); });
    if (ours == vector.out) {
      ++equal;
      continue;
    }
    const auto found = std::ranges::find_if(exceptions, [&](const auto& each) { return each.applies(vector.in); });
    if (found != exceptions.end()) {
      ++used[static_cast<std::size_t>(found - exceptions.begin())];
      continue;
    }
    ADD_FAILURE() << "for " << shown(vector.in) << "\n  ours: " << shown(ours) << "\n  Go:   " << shown(vector.out);
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    EXPECT_NE(used[i], 0U) << "no longer needed: " << exceptions[i].reason;
    std::cout << "  " << used[i] << " differ: " << exceptions[i].reason << "\n";
  }
  std::cout << "  " << equal << " of " << vectors.size() << " as Go\n";
}

TEST(GoVectors, ReadsAndWritesJsonByteForByteAsGo) {
  const auto vectors = load("go_json_vectors.jsonl", "json");
  EXPECT_GE(vectors.size(), 1000U);
  const Exception invalid{"text that is not UTF-8 is refused; Go puts U+FFFD in its place",
                          [](const std::string& in) { return !is_utf8(in); }};
  compare(vectors, {invalid}, [](const std::string& in) {
    return write(parse(in, {.duplicates = Duplicates::last_wins}), {.sort_keys = true});
  });
}

TEST(GoVectors, ReadsYamlAsGo) {
  const auto vectors = load("go_yaml_vectors.jsonl", "read");
  EXPECT_GE(vectors.size(), 400U);
  const std::vector<Exception> exceptions = {
      inputs("a text without a document is refused; to Go it is null", {"", "\n", "# only a comment\n"}),
      inputs(
          "what stands after the document is refused; Go never looks at it",
          {" a: 1\nb: 2\n", "'a' b", "\"a\" \"b\"", "|\nx\n", "|\n  x\n y\n", "a: 1\n... b\n", "a\n# c\nb\n", "[a]b]"}),
      inputs("text that starts with { and is JSON is read as JSON, which knows more",
             {R"({"a": "\/"})", "{\"k\":\"\u0085\"}", "{\"k\":\"a\u0085b\"}", "{\"k\":\"\uffff\"}", "{\"k\":\"\x7f\"}",
              "{\"k\":\"\u0080\"}", "{\"k\":\"\u009f\"}"}),
      inputs("U+0085 and U+2028 end a line in YAML 1.1 only", {"a: \u0085b\n", "a: b\u2028c\n"}),
      inputs("bytes that are not text are refused; Go puts U+FFFD in their place", {"!!binary /w=="}),
      inputs("a tab where it does no harm is accepted", {"\t\na: 1\n", "a: |\n  \tx\n"}),
      inputs("yaml-cpp accepts anchors and tag handles that Go does not", {"a: &x.y 1\n", "a: &x: 1\n", "!e!x 1"}),
      inputs("yaml-cpp drops a tag that ends the text, and sees a document in front of '...'",
             {"!!str", "!!int", "...\n"}),
      inputs("flow style as YAML 1.2 has it", {"[?a]", "[:a]"}),
  };
  compare(vectors, exceptions, [](const std::string& in) {
    return write(parse_yaml(in, {.duplicates = Duplicates::last_wins}), {.sort_keys = true});
  });
}

TEST(GoVectors, WritesYamlByteForByteAsGo) {
  const auto vectors = load("go_yaml_vectors.jsonl", "write");
  EXPECT_GE(vectors.size(), 300U);
  const std::vector<Exception> exceptions = {
      holding("<< is quoted; Go writes a merge key that it cannot read back", {"\\u003c\\u003c"}),
      holding("line ends of YAML 1.1 are always escaped; Go writes some as they are", {"\\u2028", "\\u2029", "\u0085"}),
      holding("Go fails on these characters", {"\uffff", "\x7f", "\u0080", "\u009f"}),
      holding("Go escapes every character after a byte order mark at the start", {"\ufeff", "\\ufeff"}),
  };
  compare(vectors, exceptions, [](const std::string& in) { return write_yaml(parse(in)); });
}

TEST(GoVectors, WrittenYamlIsReadBackAsTheSameValue) {
  for (const Vector& vector : load("go_yaml_vectors.jsonl", "write")) {
    const Value value = parse(vector.in);
    const Value again = parse_yaml(write_yaml(value));
    // A large double that YAML spells as an integer is read as one, in Go too: then the JSON text is the same.
    EXPECT_TRUE(again == value || write(again, {.sort_keys = true}) == write(value, {.sort_keys = true}))
        << write_yaml(value);
  }
}

// For tests/go/vectors/run check: Go reads what we write here.
// tests/go/vectors/run names a file, and Go then reads what stands in it.
TEST(GoVectors, OurYamlReadsBackAsTheValueItCameFrom) {
  std::ofstream file;
  if (const char* path = std::getenv("FLYBALL_WRITE_YAML_TO")) file.open(path);
  for (const Vector& vector : load("go_yaml_vectors.jsonl", "write")) {
    const Value value = parse(vector.in);
    const std::string yaml = write_yaml(value);
    // Through text: a double beyond 2^53 is written with zeros, and read as the integer it then is.
    EXPECT_EQ(parse_yaml(yaml), parse(write(value))) << yaml;
    file << write(object({{"json", vector.in}, {"yaml", yaml}})) << "\n";
  }
}

}  // namespace
}  // namespace flyball::json
