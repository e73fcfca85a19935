// Predicates, mapping, remembered reads, triggers: what wakes an object, and what does not.
#include "behaviour_test.hpp"

namespace flyball::behaviour {
namespace {

struct Wakes : Behaviour {
  // Says of each pass whom it was over.
  auto writing_down() {
    return [this](Context&, Box& box) { journal.add(box.metadata.name); };
  }
  void label(const std::string& name, const std::string& label, const std::string& value) {
    edit_box(name, [&](Box& box) { box.metadata.labels[label] = value; });
  }
};

TEST_F(Wakes, GenerationChangedLeavesOutLabelsAndStatus) {
  begin([this](Operator& op) { op.reconcile<Box>(writing_down()).when(generation_changed()); });
  make_box("one");
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("one"));
  label("one", "colour", "red");
  person().edit_status<Box>(key("one"), [](Box& box) { box.status.seen = "by somebody"; });
  world->settle();
  EXPECT_THAT(journal.take(), IsEmpty()) << explain("one");
  edit_box("one", [](Box& box) { box.spec.text = "changed"; });
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("one"));
}

TEST_F(Wakes, GenerationChangedLetsTheDeletionPass) {
  begin([this](Operator& op) {
    op.reconcile<Box>(writing_down()).when(generation_changed()).cleanup([this](Context&, Box&) {
      journal.add("cleaned up");
    });
  });
  make_box("one");
  world->settle();
  person().delete_<Box>(key("one"));
  world->until("it is gone", [&] { return !person().find<Box>(key("one")); });
  EXPECT_EQ(journal.count("cleaned up"), 1);
}

TEST_F(Wakes, LabelsOrAnnotationsChanged) {
  begin([this](Operator& op) {
    op.reconcile<Box>(writing_down()).when(either(labels_changed(), annotations_changed()));
  });
  make_box("one");
  world->settle();
  journal.take();
  edit_box("one", [](Box& box) { box.spec.text = "changed"; });
  world->settle();
  EXPECT_THAT(journal.take(), IsEmpty());
  label("one", "colour", "red");
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("one"));
  edit_box("one", [](Box& box) { box.metadata.annotations["note"] = "hello"; });
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("one"));
}

TEST_F(Wakes, APredicateOfOnesOwnMayLetAnObjectInLater) {
  begin([this](Operator& op) {
    op.reconcile<Box>(writing_down()).when([](const cache::Change& change) {
      return change.metadata().label("tier") == "gold";
    });
  });
  make_box("one");
  world->settle();
  EXPECT_THAT(journal.take(), IsEmpty());
  label("one", "tier", "gold");
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("one")) << "its first pass";
}

TEST_F(Wakes, APredicateThatThrowsLetsTheChangePass) {
  begin([this](Operator& op) {
    op.reconcile<Box>(writing_down()).when([](const cache::Change&) -> bool { throw Error("no idea"); });
  });
  make_box("one");
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("one"));
}

TEST_F(Wakes, WhatAPredicateLeavesOutStillWakesOthersThatReadIt) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
        journal.add(box.metadata.name);
        if (!box.spec.settings.empty()) ctx.find<Box>(box.spec.settings);
      }).when(generation_changed());
  });
  make_box("one");
  make_box("two", {.settings = "one"});
  world->settle();
  journal.take();
  label("one", "colour", "red");
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("two"));
}

TEST_F(Wakes, AMapSaysWhomAnotherKindConcerns) {
  begin([this](Operator& op) {
    op.reconcile<Box>(writing_down()).watches<core::Secret>([](const cache::Change& change) -> std::vector<ObjectKey> {
      const auto whom = change.metadata().label("box");
      if (!whom) return {};
      return {{std::string(change.metadata().namespace_), std::string(*whom)}};
    });
  });
  make_box("one");
  make_box("two");
  world->settle();
  journal.take();
  const auto secret = [&](const std::string& name, const std::string& whom) {
    return core::Secret{.metadata = {.name = name, .namespace_ = world->ns(), .labels = {{"box", whom}}}};
  };
  person().create(secret("a", "two"));
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("two"));
  person().delete_<core::Secret>(key("a"));
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("two"));
  EXPECT_THAT(passes("two").front().causes.to_string(), HasSubstr("deleted v1 Secret"));
}

TEST_F(Wakes, AMapMayHaveItsPredicate) {
  begin([this](Operator& op) {
    op.reconcile<Box>(writing_down())
        .watches<core::Secret>(
            [this](const cache::Change&) { return std::vector<ObjectKey>{key("one")}; },
            [](const cache::Change& change) { return change.type() == cache::Change::Type::deleted; });
  });
  make_box("one");
  world->settle();
  journal.take();
  person().create(core::Secret{.metadata = {.name = "a", .namespace_ = world->ns()}});
  world->settle();
  EXPECT_THAT(journal.take(), IsEmpty());
  person().delete_<core::Secret>(key("a"));
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("one"));
}

TEST_F(Wakes, AControllerOfKeysIsWokenByItsMaps) {
  begin([this](Operator& op) {
    op.control("colours", [this](Context& ctx) {
        journal.add(ctx.key().name);
      }).watches<core::Secret>([](const cache::Change& change) -> std::vector<ObjectKey> {
      return {{"", std::string(change.metadata().label("colour").value_or("none"))}};
    });
  });
  person().create(core::Secret{.metadata = {.name = "a", .namespace_ = world->ns(), .labels = {{"colour", "red"}}}});
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("red"));
}

struct RememberedWakes : Wakes {
  // Sees a ConfigMap by its name, which the spec says.
  void by_name() {
    begin([this](Operator& op) {
      op.reconcile<Box>([this](Context& ctx, Box& box) {
          journal.add(box.metadata.name);
          const auto map = ctx.find<core::ConfigMap>(box.spec.settings);
          box.status.seen = map ? map->data.at("is") : "nothing";
        }).reads<core::ConfigMap>();
    });
  }
};

TEST_F(RememberedWakes, AnObjectThatWasReadByNameWakesWhoReadIt) {
  by_name();
  make_box("one", {.settings = "a"});
  make_box("two", {.settings = "b"});
  world->settle();
  EXPECT_EQ(box("one").status.seen, "nothing");
  journal.take();
  make_map("a", {{"is", "there"}});
  world->settle();
  EXPECT_EQ(box("one").status.seen, "there") << "one that was not there";
  edit_map("a", "changed");
  world->settle();
  EXPECT_EQ(box("one").status.seen, "changed");
  person().delete_<core::ConfigMap>(key("a"));
  world->settle();
  EXPECT_EQ(box("one").status.seen, "nothing");
  EXPECT_THAT(journal.take(), ElementsAre("one", "one", "one")) << "and nobody else";
}

TEST_F(RememberedWakes, WhatIsNoLongerReadWakesNobody) {
  by_name();
  make_map("a", {{"is", "1"}});
  make_box("one", {.settings = "a"});
  world->settle();
  edit_box("one", [](Box& box) { box.spec.settings = "b"; });
  world->settle();
  journal.take();
  edit_map("a", "2");
  world->settle();
  EXPECT_THAT(journal.take(), IsEmpty());
}

TEST_F(RememberedWakes, AListIsWokenByWhatMatchesBeforeOrAfter) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
        journal.add("pass");
        box.status.seen.clear();
        for (const auto& map : ctx.list<core::ConfigMap>({.labels = {{"box", box.metadata.name}}})) {
          box.status.seen += map.metadata.name;
        }
      }).reads<core::ConfigMap>();
  });
  make_box("one");
  world->settle();
  make_map("a", {}, {{"box", "one"}});
  make_map("b", {}, {{"box", "two"}});
  world->settle();
  EXPECT_EQ(box("one").status.seen, "a");
  person().edit<core::ConfigMap>(key("b"), [](auto& map) { map.metadata.labels["box"] = "one"; });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "ab");
  person().edit<core::ConfigMap>(key("a"), [](auto& map) { map.metadata.labels.clear(); });
  world->settle();
  EXPECT_EQ(box("one").status.seen, "b");
  journal.take();
  edit_map("a", "it has left");
  world->settle();
  EXPECT_THAT(journal.take(), IsEmpty());
}

TEST_F(RememberedWakes, WhatAPassWritesDoesNotWakeItButWakesOthersThatReadIt) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
        journal.add(box.metadata.name);
        if (box.metadata.name == "writer") ctx.apply(child_of(box));
        if (box.metadata.name == "reader") {
          const auto map = ctx.find<core::ConfigMap>("writer-child");
          box.status.seen = map ? map->data.at("is") : "nothing";
        }
      }).owns<core::ConfigMap>();
  });
  make_box("reader");
  world->settle();
  journal.take();
  make_box("writer", {.text = "news"});
  world->settle();
  EXPECT_EQ(box("reader").status.seen, "news");
  EXPECT_EQ(journal.count("writer"), 1) << explain("writer");
  EXPECT_EQ(journal.count("reader"), 1) << explain("reader");
}

TEST_F(RememberedWakes, APassSeesWhatItWroteAndNothingElseThatIsNew) {
  begin([this](Operator& op) {
    op.reconcile<Box>([this](Context& ctx, Box& box) {
        const std::size_t before = ctx.list<core::ConfigMap>().size();
        if (journal.count("pass") == 0) make_map("other", {});
        journal.add("pass");
        ctx.apply(child_of(box));
        box.status.seen = std::to_string(ctx.list<core::ConfigMap>().size() - before) + " more, " +
                          (ctx.find<core::ConfigMap>("one-child") ? "with" : "without") + " its own";
        journal.add(box.status.seen);
      }).owns<core::ConfigMap>();
  });
  make_box("one");
  world->until("it has run again for what came meanwhile", [&] { return journal.count("pass") >= 2; });
  EXPECT_EQ(journal.lines().at(1), "1 more, with its own");
}

TEST_F(RememberedWakes, ATriggerWakesForReasonsFromOutside) {
  std::optional<Trigger> alarm;
  world->declare([&](Operator& op) {
    auto declared = op.reconcile<Box>(
        [this](Context& ctx, Box& box) { journal.add(box.metadata.name + ": " + ctx.causes().to_string()); });
    alarm = declared.trigger();
  });
  make_box("one");
  world->start();
  world->settle();
  journal.take();
  alarm->fire(key("one"), "alarm");
  world->settle();
  EXPECT_THAT(journal.take(), ElementsAre("one: alarm"));
  alarm->fire(key("nobody"), "alarm");
  world->settle();
  EXPECT_THAT(journal.take(), IsEmpty());
  world->stop();
  alarm->fire(key("one"), "while nobody listens");
  world->start();
  world->settle();
  EXPECT_THAT(journal.lines().at(0), HasSubstr("while nobody listens"));
}

}  // namespace
}  // namespace flyball::behaviour
