// [snippet: memcached]
#include <iostream>

#include <flyball/flyball.hpp>

using namespace flyball;

struct MemcachedSpec {
  int32_t size = 1;
  std::string image = "memcached:1.6";
};
FLYBALL_DESCRIBE(MemcachedSpec, (size, "How many memcached pods to run.", minimum(1), maximum(10)),
                 (image, "The image every pod runs."))

using Memcached = CustomResource<"cache.example.com", "v1alpha1", "Memcached", MemcachedSpec>;

int main() {
  const auto m = reflect::decode_yaml<Memcached>("metadata: {name: sessions}\nspec: {size: 3}\n");
  std::cout << reflect::encode(m) << '\n';

  try {
    reflect::decode_yaml<Memcached>("spec:\n  sise: 3\n  image: 1.6\n", {.strict = true});
  } catch (const Error& error) {
    std::cout << error.what() << '\n';
  }

  const json::Value definition = crd<Memcached>();
  std::cout << json::write_yaml(definition["spec"]["names"]);
}
// [end]
