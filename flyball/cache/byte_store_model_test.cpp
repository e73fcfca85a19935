// The store against a model of it: a map, and copies of that map for snapshots.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/random.hpp"
#include "flyball/cache/byte_store.hpp"
#include "flyball/cache/detail/objects_for_test.hpp"

namespace flyball::cache {
namespace {

using detail::listed;
using detail::Made;
using detail::Sent;

using State = std::map<kube::ObjectKey, Made>;

std::string expected(const State& state, const Query& query) {
  std::string text;
  for (const auto& [key, made] : state) {
    if (!query.namespace_.empty() && key.namespace_ != query.namespace_) continue;
    if (!kube::Selector::from_labels(query.labels).matches(made.labels) || !query.selector.matches(made.labels))
      continue;
    if (!query.owner.empty() && std::ranges::find(made.owners, query.owner) == made.owners.end()) continue;
    if (!query.index.empty() && made.node != query.value) continue;
    text += (text.empty() ? "" : ",") + key.to_string() + "@" + std::to_string(made.version);
  }
  return text;
}

// What the model and a snapshot of the same moment know.
struct View {
  Snapshot snapshot;
  State state;
};

struct ByteStoreModel {
  explicit ByteStoreModel(std::uint64_t seed) : random(seed) {}

  std::string pick(std::initializer_list<const char*> words) { return *(words.begin() + random.below(words.size())); }
  Made any() {
    Made made{.namespace_ = pick({"a", "b"}), .name = pick({"p", "q", "r", "s", "t", "u"}), .version = ++version};
    if (random.chance(0.7)) made.labels["app"] = pick({"web", "db"});
    if (random.chance(0.3)) made.labels["tier"] = pick({"1", "2"});
    if (random.chance(0.5)) made.owners.push_back(pick({"o1", "o2"}));
    made.node = pick({"n1", "n2"});
    made.data = std::string(random.below(300), 'x');
    return made;
  }
  Query any_query() {
    Query query;
    if (random.chance(0.3)) query.namespace_ = pick({"a", "b", "none"});
    if (random.chance(0.3)) query.labels["app"] = pick({"web", "db", "none"});
    if (random.chance(0.3))
      query.selector = kube::Selector::parse(pick({"tier", "!tier", "tier in (1,2)", "app!=web"}));
    if (random.chance(0.2)) query.owner = pick({"o1", "o2"});
    if (random.chance(0.2)) {
      query.index = "node";
      query.value = pick({"n1", "n2"});
    }
    return query;
  }

  void step() {
    const auto dice = random.below(10);
    if (dice < 5) {
      const Made made = any();
      store.put(source, Sent(made).arrival());
      state[{made.namespace_, made.name}] = made;
    } else if (dice < 7) {
      const Made made = any();
      store.remove(source, Sent(made).arrival());
      state.erase({made.namespace_, made.name});
    } else if (dice < 8) {
      views.push_back({store.snapshot(), state});
    } else if (dice < 9 && !views.empty()) {
      views.erase(views.begin() + static_cast<std::ptrdiff_t>(random.below(views.size())));
    } else if (random.chance(0.1)) {
      resync();
    }
  }
  void resync() {
    store.begin_resync(source);
    State next;
    for (const auto& [key, made] : state) {
      if (random.chance(0.3)) continue;
      store.put(source, Sent(made).arrival());
      next[key] = made;
    }
    store.end_resync(source, std::to_string(++version));
    state = next;
  }
  void check() {
    const Query query = any_query();
    ASSERT_EQ(listed(store.snapshot(), query), expected(state, query));
    for (const View& view : views) {
      ASSERT_EQ(listed(view.snapshot, query), expected(view.state, query));
      const Made one = any();
      const auto found = view.snapshot.find({one.namespace_, one.name});
      const auto known = view.state.find({one.namespace_, one.name});
      ASSERT_EQ(found.has_value(), known != view.state.end());
      if (found) {
        ASSERT_EQ(found->bytes(), detail::json_of(known->second));
      }
    }
    ASSERT_EQ(store.count(), state.size());
  }

  Random random;
  std::uint64_t version = 0;
  State state;
  ByteStore store{{.kind = {"", "v1", "ConfigMap"},
                   .indexes = {{"node",
                                [](const Object& object) {
                                  return std::vector{std::string(object.json()["data"]["node"].string_or(""))};
                                }}},
                   .packer = {.dictionary_bytes = 2048, .sample_bytes = 5000, .fewest_samples = 8}}};
  ByteStore::Source source;
  std::vector<View> views;
};

TEST(ByteStoreLaws, every_snapshot_agrees_with_a_model_of_its_moment) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    ByteStoreModel model(seed);
    for (int i = 0; i < 400; ++i) {
      model.step();
      model.check();
      if (testing::Test::HasFatalFailure()) return;
    }
    model.views.clear();
    model.store.drop(model.source);
    model.store.advance(model.source, "1000000");
    ASSERT_EQ(model.store.count(), 0);
  }
}

}  // namespace
}  // namespace flyball::cache
