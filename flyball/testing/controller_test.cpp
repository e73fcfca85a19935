// What a controller does with functions of the user's that fail, with loops, and with what it says: on one thread, in
// virtual time. How an operator behaves as a whole is in tests/behaviour.
#include "flyball/runtime/controller.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/json/parse.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/reflect/describe.hpp"
#include "flyball/runtime/context.hpp"
#include "flyball/runtime/terminal.hpp"
#include "flyball/testing/environment.hpp"

namespace flyball::testing {

struct ToySpec {
  std::string text = "a";
};
FLYBALL_DESCRIBE(ToySpec, (text, "What it says."))
struct ToyStatus {
  std::string seen = {};
};
FLYBALL_DESCRIBE(ToyStatus, (seen, "What was seen."))
// Without conditions.
using Toy = kube::CustomResource<"example.com", "v1", "Toy", ToySpec, ToyStatus>;

namespace {

namespace core = kube::core::v1;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Toy toy(const std::string& name, const std::string& text = "a") {
  return {.metadata = {.name = name, .namespace_ = "default"}, .spec = {.text = text}};
}
core::Secret secret(const std::string& name) { return {.metadata = {.name = name, .namespace_ = "default"}}; }

TEST(ControllerTest, AnObjectThatOthersHoldIsLookedAtWhileItGoes) {
  Environment env([&](Operator& op) {
    op.reconcile<Toy>([](Context&, Toy& one) { one.status.seen = "there"; }).while_going([](Context&, Toy& one) {
      one.status.seen = "going";
    });
  });
  Toy held = toy("one");
  held.metadata.finalizers = {"example.com/hold"};
  env.create(held);
  env.settle();
  EXPECT_EQ(env.get<Toy>("one").status.seen, "there");
  env.delete_<Toy>("one");
  env.settle();
  EXPECT_EQ(env.get<Toy>("one").status.seen, "going");
}

TEST(ControllerTest, AMapThatThrowsIsLoggedAndTheOthersAreAsked) {
  int passes = 0;
  Environment env([&](Operator& op) {
    op.reconcile<Toy>([&](Context&, Toy&) { ++passes; })
        .watches<core::Secret>(
            [](const cache::Change&) -> std::vector<kube::ObjectKey> { throw std::runtime_error("no idea"); })
        .watches<core::Secret>([](const cache::Change&) { return std::vector<kube::ObjectKey>{{"default", "one"}}; });
  });
  env.create(toy("one"));
  env.settle();
  env.create(secret("s"));
  env.settle();
  EXPECT_EQ(passes, 2);
  EXPECT_THAT(env.take_log(), HasSubstr("a map failed"));
}

TEST(ControllerTest, AnErrorIsInTheLogWithTheObjectAndTheCount) {
  Environment env([](Operator& op) {
    op.reconcile<Toy>([](Context&, Toy&) { throw std::runtime_error("the storage does not answer"); });
  });
  env.create(toy("one"));
  env.settle();
  EXPECT_THAT(env.take_log(), HasSubstr("the pass failed controller=toy object=default/one error=\"the storage does "
                                        "not answer\" failures=1"));
  env.advance(1s);
  EXPECT_THAT(env.explain("toy", "one"), HasSubstr("failed: the storage does not answer"));
}

TEST(ControllerTest, ATerminalErrorNeedsNoConditions) {
  int passes = 0;
  Environment env([&](Operator& op) {
    op.reconcile<Toy>([&](Context&, Toy&) {
      ++passes;
      throw Terminal("BadText", "spec.text: is bad");
    });
  });
  env.create(toy("one"));
  env.advance(1h);
  EXPECT_EQ(passes, 1);
  EXPECT_THAT(env.events(), ElementsAre("Warning BadText: spec.text: is bad"));
}

TEST(ControllerTest, WhatAPassSaidBeforeItFailedIsSaid) {
  Environment env([](Operator& op) {
    op.reconcile<Toy>([](Context& ctx, Toy&) {
      ctx.event("Begun", "it goes on");
      throw std::runtime_error("it does not");
    });
  });
  env.create(toy("one"));
  env.settle();
  EXPECT_THAT(env.events(), Contains("Normal Begun: it goes on"));
  EXPECT_THAT(env.events(), Contains("Warning ReconcileFailed: it does not"));
}

TEST(ControllerTest, TheStatusOfAFailedPassIsNotWritten) {
  Environment env([](Operator& op) {
    op.reconcile<Toy>([](Context&, Toy& of) {
      of.status.seen = "half";
      throw std::runtime_error("no");
    });
  });
  env.create(toy("one"));
  env.advance(10s);
  EXPECT_EQ(env.get<Toy>("one").status.seen, "");
}

TEST(ControllerTest, TwoThatWakeEachOtherAreNamed) {
  int count = 0;
  Environment env([&](Operator& op) {
    op.reconcile<Toy>([&](Context& ctx, Toy& of) {
        const std::string other = of.metadata.name == "one" ? "two" : "one";
        // Each changes what the other reads.
        ctx.find<core::Secret>(other);
        core::Secret mine = secret(of.metadata.name);
        mine.metadata.annotations["pass"] = std::to_string(++count);
        ctx.apply(mine, {.owned = false});
      }).owns<core::Secret>();
  });
  env.create(toy("one"));
  env.create(toy("two"));
  for (int i = 0; i < 1000; ++i) env.step();
  EXPECT_THAT(env.take_log(), HasSubstr("a reconcile keeps itself busy"));
}

TEST(ControllerTest, WhatIsReadWithoutBeingDeclaredIsAnErrorThatSaysSo) {
  Environment env([](Operator& op) { op.reconcile<Toy>([](Context& ctx, Toy&) { ctx.list<core::Pod>(); }); });
  env.create(toy("one"));
  env.settle();
  EXPECT_THAT(env.events(), Contains(HasSubstr("nothing watches v1 Pod: declare that it is read")));
}

TEST(ControllerTest, AChildInAnotherNamespaceIsRefused) {
  Environment env([](Operator& op) {
    op.reconcile<Toy>([](Context& ctx, Toy&) {
        core::Secret far = secret("far");
        far.metadata.namespace_ = "other";
        ctx.apply(far);
      }).owns<core::Secret>();
  });
  env.make_namespace("other");
  env.create(toy("one"));
  env.settle();
  EXPECT_THAT(env.events(), Contains(HasSubstr("namespace")));
  EXPECT_FALSE(env.find<core::Secret>({"other", "far"}));
}

TEST(ControllerTest, AKindThatIsFollowedWhileItRunsWakesWhatItsMapNames) {
  std::vector<std::string> passes;
  Environment env([&](Operator& op) {
    op.control("follower", [&](Context& ctx) {
        passes.push_back(ctx.key().name);
        const auto follow = [](const cache::Change& change) { return std::vector{change.key()}; };
        if (ctx.key().name == "begin") ctx.follow(client::resource_of<core::Secret>(), {}, follow);
        if (ctx.key().name == "end") ctx.unfollow(client::resource_of<core::Secret>());
      }).watches<core::ConfigMap>([](const cache::Change& change) { return std::vector{change.key()}; });
  });
  env.create(secret("there-before"));
  env.settle();
  env.create(core::ConfigMap{.metadata = {.name = "begin", .namespace_ = "default"}});
  env.settle();
  env.create(secret("later"));
  env.settle();
  env.create(core::ConfigMap{.metadata = {.name = "end", .namespace_ = "default"}});
  env.settle();
  env.create(secret("unheard"));
  env.settle();
  EXPECT_THAT(passes, ElementsAre("begin", "there-before", "later", "end"));
}

TEST(ControllerTest, LiveReadsSeeWhatTheCacheDoesNotYet) {
  std::string live;
  std::string cached;
  Environment env([&](Operator& op) {
    op.reconcile<Toy>([&](Context& ctx, Toy&) {
        if (!ctx.live().find<core::Secret>({"default", "s"})) ctx.live().create(secret("s"));
        live = ctx.live().find<core::Secret>({"default", "s"}) ? "there" : "not there";
        cached = ctx.find<core::Secret>("s") ? "there" : "not there";
      }).owns<core::Secret>();
  });
  env.create(toy("one"));
  while (live.empty()) env.step();
  EXPECT_EQ(live, "there");
  EXPECT_EQ(cached, "not there");
  env.settle();
  EXPECT_EQ(cached, "there") << "and it woke who looked for it";
}

TEST(ControllerTest, APatchAndAnUpdateAreSeenByThePassAndWakeNobody) {
  int passes = 0;
  Environment env([&](Operator& op) {
    op.reconcile<Toy>([&](Context& ctx, Toy& of) {
        ++passes;
        const auto read = ctx.find<core::Secret>("s");
        if (!read) {
          ctx.create(secret("s"));
          return;
        }
        core::Secret changed = *read;
        changed.metadata.labels["text"] = of.spec.text;
        ctx.update(*read, changed);
        ctx.patch<core::Secret>("s", client::Patch::merge(json::parse(R"({"metadata":{"labels":{"more":"yes"}}})")));
        of.status.seen =
            ctx.get<core::Secret>("s").metadata.labels["text"] + ctx.get<core::Secret>("s").metadata.labels["more"];
      }).owns<core::Secret>();
  });
  env.create(toy("one"));
  env.settle();
  EXPECT_EQ(passes, 1);
  env.edit<Toy>("one", [](Toy& of) { of.spec.text = "b"; });
  env.settle();
  EXPECT_EQ(passes, 2) << env.explain("toy", "one");
  EXPECT_EQ(env.get<Toy>("one").status.seen, "byes");
}

TEST(ControllerTest, APassReadsWhatItsControllerListensToThoughAnotherScopeIsBehind) {
  std::vector<std::string> seen;
  Environment env([&](Operator& op) {
    op.control("wide", [](Context&) {}).reads<core::Secret>();
    op.control("narrow",
               [&](Context& ctx) {
                 const auto found = ctx.find<core::Secret>(ctx.key().name);
                 seen.push_back(found ? "there" : "not there");
               })
        .reads<core::Secret>({.labels = {{"scope", "narrow"}}})
        .watches<core::Secret>([](const cache::Change& change) { return std::vector{change.key()}; });
  });
  env.settle();
  core::Secret one = secret("one");
  one.metadata.labels = {{"scope", "narrow"}};
  env.create(one);
  // The watch of the wide scope comes first, and is let sleep.
  const auto watches = env.run().cache().reflectors();
  ASSERT_EQ(watches.size(), 2);
  while (watches[1]->poll({})) {
  }
  EXPECT_TRUE(env.run().controller("narrow").step({}));
  EXPECT_THAT(seen, ElementsAre("there"));
  env.settle();
  EXPECT_THAT(seen, ElementsAre("there"));
}

TEST(ControllerTest, WhatAControllerDoesNotListenToItCannotRead) {
  Environment env([&](Operator& op) {
    op.control("other", [](Context&) {}).reads<core::Secret>();
    op.reconcile<Toy>([](Context& ctx, Toy&) { (void)ctx.list<core::Secret>(); });
  });
  env.create(toy("one"));
  env.settle();
  EXPECT_THAT(env.explain("toy", "one"), HasSubstr("nothing watches v1 Secret: declare that it is read"));
}

}  // namespace
}  // namespace flyball::testing
