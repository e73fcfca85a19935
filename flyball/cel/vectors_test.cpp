// What the real cel-go, in kube-apiserver's environment, makes of expressions, and what we make of them. The vectors
// are recorded by tests/go/cel/run.
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "flyball/cel/env.hpp"
#include "flyball/cel/operations.hpp"
#include "flyball/json/parse.hpp"

namespace flyball::cel {
namespace {

constexpr const char* kDocument = R"({
  "name": "web", "replicas": 3, "ratio": 0.5, "on": true, "none": null,
  "labels": {"app": "web", "tier": "front-end"},
  "ports": [{"name": "http", "port": 80}, {"name": "https", "port": 443}],
  "items": [1, 2, 3], "empty": [], "nested": {"a": {"b": {"c": "deep"}}},
  "when": "2024-02-29T12:30:45.5Z", "quantity": "1.5Gi", "text": "héllo wörld", "address": "10.0.0.1"
})";

Env environment() {
  EnvOptions options;
  for (const auto& [name, type] : std::map<std::string, const char*>{{"self", "dyn"},
                                                                     {"i", "int"},
                                                                     {"u", "uint"},
                                                                     {"d", "double"},
                                                                     {"b", "bool"},
                                                                     {"s", "string"},
                                                                     {"by", "bytes"},
                                                                     {"l", "list(int)"},
                                                                     {"ls", "list(string)"},
                                                                     {"ld", "list(dyn)"},
                                                                     {"m", "map(string, int)"},
                                                                     {"md", "map(string, dyn)"},
                                                                     {"ts", "timestamp"},
                                                                     {"dur", "duration"},
                                                                     {"unset", "string"},
                                                                     {"a.b", "int"}}) {
    options.variables[name] = parse_type(type);
  }
  return Env(std::move(options));
}

Program::Variables variables() {
  return {{"self", from_json(json::parse(kDocument))},
          {"i", Value::integer(5)},
          {"u", Value::unsigned_integer(7)},
          {"d", Value::real(2.5)},
          {"b", Value::boolean(true)},
          {"s", Value::string("hello wörld")},
          {"by", Value::bytes(std::string("abc\0\xff", 5))},
          {"l", from_json(json::parse("[3, 1, 2]"))},
          {"ls", from_json(json::parse(R"(["b", "a", "c"])"))},
          {"ld", from_json(json::parse(R"([1, "two", 3.5, null, true])"))},
          {"m", from_json(json::parse(R"({"one": 1})"))},
          {"md", from_json(json::parse(R"({"k": "v"})"))},
          {"ts", convert(Value::string("2024-02-29T12:30:45.5Z"), timestamp_type())},
          {"dur", convert(Value::string("90m30.5s"), duration_type())},
          {"a.b", Value::integer(42)}};
}

// One line for what came out, so that a difference shows whole.
std::string answer(const Env& env, const Program::Variables& values, std::string_view expression) {
  try {
    const Program program = env.compile(expression);
    const Result result = program.evaluate(values);
    const std::string cost = " cost " + std::to_string(result.cost);
    if (result.value.is_error()) return "error: " + result.value.text() + cost;
    return "value: " + to_text(result.value) + " type " + program.type()->text() + cost;
  } catch (const CompileError& error) {
    return std::string("refused: ") + error.what();
  }
}

std::string recorded(const json::Value& vector) {
  const std::string cost = " cost " + std::to_string(vector["k"].exists() ? vector["k"].as_int() : 0);
  if (vector["c"].exists()) return "refused: " + std::string(vector["c"].as_string());
  if (vector["p"].exists()) return "refused: " + std::string(vector["p"].as_string());
  if (vector["x"].exists()) return "error: " + std::string(vector["x"].as_string()) + cost;
  return "value: " + std::string(vector["v"].as_string()) + " type " + std::string(vector["t"].as_string()) + cost;
}

// Where our text is another one, and why. Both refuse the expression.
const std::map<std::string_view, std::string_view>& differences() {
  static constexpr std::string_view kSecond = "cel-go's parser goes on and tells a second mistake at the end";
  static constexpr std::string_view kOther = "cel-go's generated parser has another word for what it did not expect";
  static const std::map<std::string_view, std::string_view> all = {
      {"self.in", kSecond}, {"in", kSecond}, {"i++", kSecond}, {"-", kSecond}, {"!", kOther}};
  return all;
}

TEST(CelVectorsTest, AnswersAsKubernetesDoes) {
  const Env env = environment();
  const Program::Variables values = variables();
  std::ifstream lines(FLYBALL_SOURCE_DIR "/tests/data/go_cel_vectors.jsonl");
  std::size_t tried = 0;
  for (std::string line; std::getline(lines, line);) {
    const json::Value vector = json::parse(line);
    const std::string_view expression = vector["e"].as_string();
    ++tried;
    if (differences().contains(expression)) {
      EXPECT_TRUE(answer(env, values, expression).starts_with("refused: ERROR: <input>:1:")) << expression;
      EXPECT_TRUE(vector["c"].exists()) << expression;
      continue;
    }
    EXPECT_EQ(answer(env, values, expression), recorded(vector)) << expression;
  }
  EXPECT_GE(tried, 1500U);
}

}  // namespace
}  // namespace flyball::cel
