#include <cstdio>

#include "flyball/json/value.hpp"
#include "flyball/json/write.hpp"

int main() {
  using namespace flyball;
  const json::Value config = json::object({{"kind", "ConfigMap"}, {"data", json::object({{"size", 3}})}});
  std::puts(json::write(config).c_str());
}
