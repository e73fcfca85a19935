#include <iostream>

#include "flyball/json/parse.hpp"
#include "flyball/json/value.hpp"
#include "flyball/json/write.hpp"

int main() {
  // [snippet: json]
  using namespace flyball;

  const json::Value config = json::parse(R"({"kind": "ConfigMap", "data": {"size": 3, "tags": ["a", "b"]}})");
  for (json::View tag : config["data"]["tags"].items()) std::cout << tag.as_string() << '\n';
  std::cout << json::write(config["data"]) << '\n';

  try {
    json::parse("{\n  \"data\": {\"size\": 3, \"size\": 4}\n}");
  } catch (const InputError& error) {
    std::cout << error.what() << '\n';
  }
  // [end]
}
