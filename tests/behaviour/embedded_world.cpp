#include "embedded_world.hpp"

#include <utility>

namespace flyball::behaviour {

void EmbeddedWorld::declare(const Setup& setup, WorldOptions options) {
  if (options.namespaces.empty()) options.namespaces = {ns_};
  env_.emplace(setup, testing::EnvironmentOptions{.seed = seed_,
                                                  .install = options.install,
                                                  .start = false,
                                                  .run = {.namespaces = std::move(options.namespaces)}});
}

std::string EmbeddedWorld::make_namespace(const std::string& name) {
  env().make_namespace(name);
  return name;
}

void EmbeddedWorld::install(const json::Value& definition) {
  person().dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}).create(definition);
  person().mapper().forget();
}

void EmbeddedWorld::until(const std::string& what, const std::function<bool()>& is_so) {
  constexpr int kMost = 3600;
  constexpr std::size_t kLogged = 4000;
  settle();
  for (int seconds = 0; !is_so(); ++seconds) {
    if (seconds == kMost) throw Error("it never came to pass: " + what + "\n" + env().take_log().substr(0, kLogged));
    env().advance(std::chrono::seconds(1));
  }
}

void EmbeddedWorld::cut_off() {
  env().transport().set_down(true);
  settle();  // the watches notice, before they hear any more
}

void EmbeddedWorld::forget_the_past() { env().server().store().compact(env().server().store().revision()); }

void EmbeddedWorld::go_on(std::size_t steps) {
  while (steps-- > 0 && env().step()) {
  }
}

std::unique_ptr<World> make_world(std::optional<std::uint64_t> seed) { return std::make_unique<EmbeddedWorld>(seed); }
// On one thread nothing is to be found by a sanitizer that a tenth of them does not show.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
std::size_t tries_of_chance() { return 100; }
#else
std::size_t tries_of_chance() { return 1000; }
#endif

}  // namespace flyball::behaviour
