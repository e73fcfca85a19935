// An expression, compiled and, when that works, evaluated: neither may crash, and both must answer the same twice.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "flyball/cel/env.hpp"
#include "flyball/json/parse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flyball;  // NOLINT(google-build-using-namespace): a program of one function
  static const cel::Env env(
      {.variables = {{"self", cel::dyn_type()}, {"i", cel::int_type()}, {"s", cel::string_type()}},
       .types = nullptr,
       .cost_limit = 10'000});
  static const json::Value document = json::parse(R"({"name": "web", "ports": [{"port": 80}], "labels": {"a": "b"}})");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const cel::Program program = env.compile(text);
    const cel::Program::Variables variables = {
        {"self", cel::from_json(document)}, {"i", cel::Value::integer(5)}, {"s", cel::Value::string("hello")}};
    const cel::Result first = program.evaluate(variables);
    const cel::Result again = program.evaluate(variables);
    if (first.cost != again.cost || cel::to_text(first.value) != cel::to_text(again.value)) std::abort();
  } catch (const cel::CompileError&) {  // most texts are no expression
  }
  return 0;
}
