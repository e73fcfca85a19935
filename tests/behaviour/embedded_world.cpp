#include "embedded_world.hpp"

#include <algorithm>
#include <utility>

namespace flyball::behaviour {

void EmbeddedWorld::declare(const Setup& setup, WorldOptions options) {
  if (options.namespaces.empty()) options.namespaces = {ns_};
  runtime::OperatorRunOptions run{.namespaces = std::move(options.namespaces)};
  if (options.leader_election) {
    run.leader_election = {.namespace_ = ns_, .name = "office", .identity = "first", .times = kLeaseTimes};
  }
  env_.emplace(setup, testing::EnvironmentOptions{
                          .seed = seed_, .install = options.install, .start = false, .run = std::move(run)});
}

void EmbeddedWorld::start_second() {
  const Client client(env().server().transport(), env().clock(), random_, {.field_manager = "operator"});
  second_ = std::make_unique<OperatorRun>(
      env().op(), client, env().clock(), random_,
      runtime::OperatorRunOptions{
          .namespaces = {ns_},
          .leader_election =
              runtime::LeaderElectionOptions{
                  .namespace_ = ns_, .name = "office", .identity = "second", .times = kLeaseTimes},
          .threads = false});
  second_->start();
}

void EmbeddedWorld::of_the_first(const std::function<void()>& go_on) {
  try {
    go_on();
  } catch (const runtime::LeadershipLost& error) {
    first_ended_with_ = error.what();
    env().crash();
  }
}

void EmbeddedWorld::settle() {
  do of_the_first([&] { env().settle(); });
  while (second_ != nullptr && second_->step({}));
}

void EmbeddedWorld::advance(Duration time) {
  constexpr Duration kMost = std::chrono::milliseconds(100);
  if (second_ == nullptr) return env().advance(time);
  for (const TimePoint end = env().clock().after(time); env().clock().now() < end;) {
    of_the_first([&] { env().advance(std::min<Duration>(kMost, end - env().clock().now())); });
    settle();
  }
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
    advance(std::chrono::seconds(1));
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
