// Remembered reads against the meaning of the words: a key must run again exactly when what one of its reads would
// answer has changed since, by a hand other than its own. A server, a watch that lags behind, a cache, three keys whose
// passes overlap: all steps in random order, from a seed.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/random.hpp"
#include "flyball/runtime/remembered_reads.hpp"

namespace flyball::runtime {
namespace {

using kube::GroupVersionKind;
using kube::ObjectKey;

struct Object {
  Labels labels = {};
  std::set<std::string> owners = {};
  std::string version = {};
  std::string uid = {};
};
using Where = std::pair<GroupVersionKind, ObjectKey>;
using Objects = std::map<Where, Object>;

struct Event {
  Where where;
  std::optional<Object> after;
  std::optional<Key> writer;
};

// The objects and versions that a read gives.
using Answer = std::map<Where, std::string>;
Answer answer(const Read& read, const Objects& objects) {
  Answer found;
  for (const auto& [where, object] : objects) {
    if (where.first != read.kind) continue;
    bool in = false;
    switch (read.type) {
      case Read::Type::object: in = where.second == ObjectKey{read.namespace_, read.name}; break;
      case Read::Type::children: in = object.owners.contains(read.name); break;
      case Read::Type::list:
        in = (read.namespace_.empty() || where.second.namespace_ == read.namespace_) &&
             read.selector.matches(object.labels);
        break;
    }
    if (in) found[where] = object.version;
  }
  return found;
}

struct MadeRead {
  Read read;
  bool changed = false;  // since it was made
};

struct Reconciler {
  Key key;
  std::vector<MadeRead> remembered = {};  // of earlier passes
  std::vector<MadeRead> made = {};        // of the pass that runs
  std::unique_ptr<ReadSet> running = {};
  std::vector<Write> unanswered = {};
};

class World {
 public:
  explicit World(std::uint64_t seed) : random_(seed) {
    for (const char* name : {"one", "two", "three"}) reconcilers_.push_back({.key = {.name = name}});
  }

  void run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) step();
    while (!events_.empty()) deliver();
  }

 private:
  Reconciler& any() { return reconcilers_[random_.below(reconcilers_.size())]; }
  std::string pick(std::initializer_list<const char*> from) { return *(from.begin() + random_.below(from.size())); }
  GroupVersionKind kind() { return {"", "v1", pick({"Pod", "Secret"})}; }
  Where where() { return {kind(), {pick({"a", "b"}), pick({"x", "y"})}}; }

  void step() {
    switch (random_.below(10)) {
      case 0:
      case 1: change(std::nullopt); break;
      case 2:
      case 3:
      case 4:
        if (!events_.empty()) deliver();
        break;
      case 5:
      case 6: begin_or_read(any()); break;
      case 7: write(any()); break;
      case 8: get_answers(any()); break;
      default: end(any()); break;
    }
  }

  // Somebody writes to the server; the watch will tell.
  Write change(const std::optional<Key>& writer) {
    const Where at = where();
    if (server_.contains(at) && random_.chance(0.3)) {
      const std::string uid = server_.at(at).uid;
      server_.erase(at);
      events_.push_back({at, std::nullopt, writer});
      ++version_;
      return Write{.kind = at.first, .object = at.second, .uid = uid};
    }
    Object object{.version = std::to_string(++version_)};
    object.uid = server_.contains(at) ? server_.at(at).uid : "uid-" + object.version;
    for (const char* label : {"app", "tier"}) {
      if (random_.chance(0.6)) object.labels[label] = pick({"1", "2", "3"});
    }
    for (const char* owner : {"u1", "u2"}) {
      if (random_.chance(0.4)) object.owners.insert(owner);
    }
    server_[at] = object;
    events_.push_back({at, object, writer});
    return Write{.kind = at.first, .object = at.second, .resource_version = object.version};
  }

  static kube::Metadata metadata(const Where& at, const Object& object) {
    kube::Metadata made;
    made.namespace_ = at.second.namespace_;
    made.name = at.second.name;
    made.resource_version = object.version;
    made.uid = object.uid;
    for (const auto& [key, value] : object.labels) made.labels.emplace_back(key, value);
    for (const auto& owner : object.owners) made.owners.push_back({.uid = owner});
    return made;
  }

  // The watch tells of the oldest change: the cache takes it over, keys are woken.
  void deliver() {
    const Event event = std::move(events_.front());
    events_.pop_front();
    const Objects old = cache_;
    if (event.after)
      cache_[event.where] = *event.after;
    else
      cache_.erase(event.where);

    std::optional<kube::Metadata> before;
    std::optional<kube::Metadata> after;
    if (const auto was = old.find(event.where); was != old.end()) before = metadata(was->first, was->second);
    if (event.after) after = metadata(event.where, *event.after);
    if (!before && !after) return;  // came and went unseen
    const auto woken = remembered_.woken_by(
        {.kind = event.where.first, .before = before ? &*before : nullptr, .after = after ? &*after : nullptr});

    std::set<Key> expected;
    for (Reconciler& of : reconcilers_) {
      if (event.writer == of.key) continue;
      bool changed = false;
      for (auto* reads : {&of.remembered, &of.made}) {
        for (MadeRead& read : *reads) {
          if (answer(read.read, old) == answer(read.read, cache_)) continue;
          read.changed = true;
          changed = true;
        }
      }
      if (changed && !of.running) expected.insert(of.key);
    }
    EXPECT_EQ(std::set<Key>(woken.begin(), woken.end()), expected);
    EXPECT_EQ(woken.size(), expected.size());
  }

  void begin_or_read(Reconciler& of) {
    if (!of.running) {
      of.running = std::make_unique<ReadSet>(remembered_.begin(of.key));
      for (MadeRead& read : of.remembered) read.changed = false;
      return;
    }
    const std::size_t had = of.running->reads().size();
    const Where at = where();
    switch (random_.below(3)) {
      case 0: of.running->object(at.first, at.second); break;
      case 1: of.running->children(at.first, pick({"u1", "u2"})); break;
      default:
        of.running->list(at.first, pick({"", "a", "b"}),
                         kube::Selector::parse(pick({"", "app=1", "app=2,tier=1", "app", "!app", "tier!=2",
                                                     "app in (1,3)", "tier notin (1),app"})));
        break;
    }
    if (of.running->reads().size() == had) return;  // read before
    for (const auto& [identity, read] : of.running->reads()) {
      const bool known = std::ranges::any_of(of.made, [&](const MadeRead& m) { return m.read.identity == identity; });
      if (!known) of.made.push_back({read});
    }
  }

  void write(Reconciler& of) {
    if (!of.running) return;
    of.unanswered.push_back(change(of.key));
  }

  void get_answers(Reconciler& of) {
    for (const Write& write : std::exchange(of.unanswered, {})) {
      if (write.resource_version.empty())
        of.running->deleted(write.kind, write.object, write.uid);
      else
        of.running->written(write.kind, write.object, write.resource_version);
    }
  }

  void end(Reconciler& of) {
    if (!of.running) return;
    get_answers(of);
    const bool failed = random_.chance(0.2);
    bool changed = false;
    if (failed) {
      for (const MadeRead& read : of.remembered) changed = changed || read.changed;
    } else {
      of.remembered.clear();
    }
    for (MadeRead& read : of.made) {
      changed = changed || read.changed;
      of.remembered.push_back(std::move(read));
    }
    of.made.clear();
    auto reads = std::move(of.running);
    const auto causes = failed ? remembered_.abandon(std::move(*reads)) : remembered_.finish(std::move(*reads));
    EXPECT_EQ(!causes.empty(), changed);
  }

  Random random_;
  std::uint64_t version_ = 8;
  Objects server_;
  std::deque<Event> events_;
  Objects cache_;
  RememberedReads remembered_;
  std::vector<Reconciler> reconcilers_;  // after remembered_: their passes end before it goes
};

TEST(RememberedReadsModelTest, NoWakeUpIsMissedAndNoneIsSuperfluousInTenThousandInterleavings) {
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    World(seed).run(50);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace flyball::runtime
