// Remembered reads under chance: events of two kinds, passes and writes in any order, and no wake-up is ever missed.
#include "behaviour_test.hpp"

#include "flyball/base/random.hpp"

namespace flyball::behaviour {
namespace {

constexpr std::size_t kBoxes = 2;
constexpr std::size_t kThings = 3;

std::string numbered(const std::string& what, std::size_t number) { return what + std::to_string(number); }

// What a pass sees is what it says: its ConfigMap, the Secrets with its label, and what others put into its child.
void reconcile(Context& ctx, Box& box) {
  const auto map = ctx.find<core::ConfigMap>(box.spec.settings);
  std::string seen = map ? map->data.at("is") : "nothing";
  for (const auto& secret : ctx.list<core::Secret>({.labels = {{"box", box.metadata.name}}})) {
    seen += " " + secret.metadata.name;
  }
  const auto child = ctx.find<core::ConfigMap>(box.metadata.name + "-child");
  if (child && child->data.contains("more")) seen += " more " + child->data.at("more");
  ctx.apply(core::ConfigMap{.metadata = {.name = box.metadata.name + "-child"}, .data = {{"is", seen}}});
  box.status.seen = seen;
}

struct Interleavings : Behaviour {
  std::string expected(const Box& box) {
    const auto map = person().find<core::ConfigMap>(key(box.spec.settings));
    std::string seen = map ? map->data.at("is") : "nothing";
    for (const auto& secret :
         person().list<core::Secret>({.namespace_ = world->ns(), .labels = {{"box", box.metadata.name}}})) {
      seen += " " + secret.metadata.name;
    }
    const auto child = person().find<core::ConfigMap>(key(box.metadata.name + "-child"));
    if (child && child->data.contains("more")) seen += " more " + child->data.at("more");
    return seen;
  }

  void change_map(Random& random) {
    const std::string name = numbered("map", random.below(kThings));
    const std::string is = std::to_string(++last_);
    if (!person().find<core::ConfigMap>(key(name))) {
      make_map(name, {{"is", is}});
    } else if (random.chance(0.4)) {
      person().delete_<core::ConfigMap>(key(name));
    } else {
      edit_map(name, is);
    }
  }
  void change_secret(Random& random) {
    const std::string name = numbered("secret", random.below(kThings));
    const std::string whose = numbered("box", random.below(kBoxes));
    if (!person().find<core::Secret>(key(name))) {
      person().create(core::Secret{.metadata = {.name = name, .namespace_ = world->ns(), .labels = {{"box", whose}}}});
    } else if (random.chance(0.4)) {
      person().delete_<core::Secret>(key(name));
    } else {
      person().edit<core::Secret>(key(name), [&](core::Secret& secret) { secret.metadata.labels["box"] = whose; });
    }
  }
  void change_box(Random& random) {
    edit_box(numbered("box", random.below(kBoxes)),
             [&](Box& box) { box.spec.settings = numbered("map", random.below(kThings)); });
  }
  void change_child(Random& random) {
    const std::string name = numbered("box", random.below(kBoxes)) + "-child";
    if (!person().find<core::ConfigMap>(key(name))) return;
    if (random.chance(0.2)) {
      person().delete_<core::ConfigMap>(key(name), {.missing_is_fine = true});
    } else {
      person().edit<core::ConfigMap>(key(name), [&](auto& map) { map.data["more"] = std::to_string(++last_); });
    }
  }
  void change_something(Random& random) {
    switch (random.below(5)) {
      case 0:
      case 1: return change_map(random);
      case 2: return change_secret(random);
      case 3: return change_child(random);
      default: return change_box(random);
    }
  }

  void begin_with(std::uint64_t seed) {
    world = make_world(seed);
    begin([](Operator& op) { op.reconcile<Box>(reconcile).owns<core::ConfigMap>().reads<core::Secret>(); });
    for (std::size_t i = 0; i < kBoxes; ++i) make_box(numbered("box", i), {.settings = "map0"});
    world->settle();
  }
  // Whether every box says what it should.
  void check(const std::string& when) {
    for (std::size_t i = 0; i < kBoxes; ++i) {
      const Box now = box(numbered("box", i));
      ASSERT_EQ(now.status.seen, expected(now)) << when << ", of " << now.metadata.name << "\n"
                                                << explain(now.metadata.name).substr(0, 4000);
    }
  }

  int last_ = 0;
};

struct InterleavingsOf : Interleavings, ::testing::WithParamInterface<std::uint64_t> {};

TEST_P(InterleavingsOf, NoWakeUpIsMissed) {
  begin_with(GetParam());
  for (std::size_t done = 0; done < tries_of_chance(); ++done) {
    Random random(GetParam() * 1'000'000 + done);
    for (std::size_t changes = 1 + random.below(5); changes > 0; --changes) {
      change_something(random);
      world->go_on(random.below(6));
    }
    world->settle();
    ASSERT_NO_FATAL_FAILURE(check("try " + std::to_string(done)));
  }
}

// Ten times tries_of_chance(): 10,000 on the embedded server.
INSTANTIATE_TEST_SUITE_P(Seed, InterleavingsOf, ::testing::Range<std::uint64_t>(1, 11));

TEST_F(Interleavings, NoWakeUpIsMissedThoughWatchesBreakAndThePastIsForgotten) {
  // The real server starts anew each time, which takes seconds.
  const std::size_t tries = std::max<std::size_t>(tries_of_chance() / 4, 3);
  begin_with(1);
  for (std::size_t done = 0; done < tries; ++done) {
    Random random(done + 1);
    for (std::size_t changes = 2 + random.below(4); changes > 0; --changes) {
      change_something(random);
      world->go_on(random.below(6));
    }
    world->cut_off();
    for (std::size_t changes = random.below(3); changes > 0; --changes) change_something(random);
    world->forget_the_past();
    world->connect_again();
    const std::string when = "try " + std::to_string(done);
    world->until("every box says what it should, in " + when, [&] {
      for (std::size_t i = 0; i < kBoxes; ++i) {
        const Box now = box(numbered("box", i));
        if (now.status.seen != expected(now)) return false;
      }
      return true;
    });
    world->settle();
    ASSERT_NO_FATAL_FAILURE(check(when));
  }
}

}  // namespace
}  // namespace flyball::behaviour
