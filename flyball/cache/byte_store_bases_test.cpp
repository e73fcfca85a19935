// Siblings in a store: what they take, and that they stay what they are whatever becomes of the others.
#include <atomic>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/cache/byte_store.hpp"
#include "flyball/cache/detail/objects_for_test.hpp"

namespace flyball::cache {
namespace {

using detail::Made;
using detail::Sent;

std::string noise(Random& random, std::size_t size) {
  std::string text;
  while (text.size() < size) text += random.name_suffix(32);
  return text;
}

struct SiblingsTest : testing::Test {
  // Those with the same `shared` are alike but for a few bytes.
  Made sibling(std::size_t number, const std::string& shared) {
    return {.name = "web-" + std::to_string(number),
            .version = ++version,
            .labels = {{"app", "web"}},
            .data = shared + random.uuid(),
            .node = std::to_string(random.below(50))};
  }
  void put(const Made& made) {
    store.put(source, Sent(made).arrival());
    state[made.name] = detail::json_of(made);
  }
  void remove(std::size_t number) {
    const Made made{.name = "web-" + std::to_string(number), .version = ++version};
    store.remove(source, Sent(made).arrival());
    state.erase(made.name);
  }
  static void expect(const Snapshot& snapshot, const std::map<std::string, std::string>& state) {
    std::map<std::string, std::string> found;
    snapshot.each({}, [&](const Object& object) { found[object.key().name] = object.bytes(); });
    EXPECT_EQ(found, state);
    for (const auto& [name, bytes] : state) {
      const auto one = snapshot.find({"shop", name});
      ASSERT_TRUE(one);
      EXPECT_EQ(one->bytes(), bytes);
    }
  }
  void expect_all() const { expect(store.snapshot(), state); }

  Random random{7};
  std::uint64_t version = 0;
  std::map<std::string, std::string> state;
  ByteStore store{{.kind = {"", "v1", "ConfigMap"},
                   .packer = {.dictionary_bytes = 4096, .sample_bytes = 40'000, .fewest_samples = 8}}};
  ByteStore::Source source;
};

TEST_F(SiblingsTest, they_take_what_they_differ_in) {
  const std::string shared = noise(random, 3000);  // says nothing to a dictionary that has not seen it
  put(sibling(0, shared));
  put(sibling(1, shared));
  const std::size_t two = store.bytes();
  for (std::size_t i = 2; i < 1000; ++i) put(sibling(i, shared));
  EXPECT_LT(store.bytes() - two, 1000 * 300);
  expect_all();
}

TEST_F(SiblingsTest, they_outlive_the_one_they_are_said_by) {
  const std::string shared = noise(random, 3000);
  for (std::size_t i = 0; i < 20; ++i) put(sibling(i, shared));
  remove(0);
  remove(1);
  expect_all();
  put(sibling(2, noise(random, 3000)));
  put(sibling(3, shared));
  expect_all();
  for (std::size_t i = 2; i < 20; ++i) {
    remove(i);
    expect_all();
  }
  for (std::size_t i = 0; i < 5; ++i) put(sibling(i, shared));
  expect_all();
}

TEST_F(SiblingsTest, a_snapshot_reads_them_as_they_were_whatever_comes) {
  const std::string shared = noise(random, 3000);
  for (std::size_t i = 0; i < 50; ++i) put(sibling(i, shared));
  const auto then = state;
  const Snapshot snapshot = store.snapshot();
  for (std::size_t i = 0; i < 50; ++i) remove(i);
  expect(snapshot, then);
  // Others like them, and enough that is new for the dictionary to be learned again and the rest packed anew.
  for (std::size_t i = 0; i < 40; ++i) put(sibling(i, shared));
  for (std::size_t round = 0; round < 30; ++round) {
    const std::string other = noise(random, 1000);
    for (std::size_t i = 0; i < 5; ++i) {
      Made made = sibling(100 + round * 5 + i, other + other);
      made.labels["round"] = std::to_string(round);
      put(made);
    }
  }
  expect(snapshot, then);
  expect_all();
}

TEST_F(SiblingsTest, those_that_are_not_alike_are_kept_too) {
  for (std::size_t i = 0; i < 100; ++i) put(sibling(i, noise(random, random.below(2000))));
  expect_all();
}

TEST_F(SiblingsTest, in_another_format_they_are_said_by_themselves) {
  const std::string shared = noise(random, 3000);
  for (std::size_t i = 0; i < 5; ++i) put(sibling(i, shared));
  const Sent sent(sibling(9, shared));
  Arrival arrival = sent.arrival();
  arrival.format = Format::protobuf;
  store.put(source, arrival);
  const auto found = store.snapshot().find({"shop", "web-9"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->format(), Format::protobuf);
  EXPECT_EQ(found->bytes(), sent.bytes);
}

// What each version of an object says is known before it is put in, so that readers can tell.
TEST_F(SiblingsTest, readers_find_every_object_as_it_was_while_the_store_is_filled) {
  std::vector<Made> made;
  std::string shared;
  for (std::size_t i = 0; i < 4000; ++i) {
    if (i % 500 == 0) shared = noise(random, 1000);
    made.push_back(sibling(random.below(60), shared));
    made.back().labels["group"] = std::to_string(random.below(5));
  }
  std::vector<std::string> by_version(made.size() + 1);
  for (const Made& one : made) by_version[one.version] = detail::json_of(one);

  RealClock clock;
  std::atomic<bool> done = false;
  std::atomic<std::size_t> wrong = 0;
  const auto read = [&] {
    while (!done) {
      store.snapshot().each({.labels = {{"app", "web"}}}, [&](const Object& object) {
        const auto number = static_cast<std::size_t>(std::stoull(std::string(object.metadata().resource_version)));
        if (object.bytes() != by_version[number]) ++wrong;
      });
    }
  };
  {
    const Thread first(clock, "reader", read);
    const Thread second(clock, "reader", read);
    for (const Made& one : made) {
      store.put(source, Sent(one).arrival());
      if (one.version % 7 == 0) store.remove(source, Sent(one).arrival());
    }
    done = true;
  }
  EXPECT_EQ(wrong, 0);
}

struct TidyTest : SiblingsTest {
  // Leaves every fifth of many, which lie scattered.
  void scatter() {
    for (std::size_t i = 0; i < 5000; ++i) put(sibling(i, noise(random, 500 + random.below(500))));
    for (std::size_t i = 0; i < 5000; ++i) {
      if (i % 5 != 0) remove(i);
    }
  }
};

TEST_F(TidyTest, when_many_have_gone_the_rest_is_brought_together) {
  scatter();
  const std::size_t before = store.bytes();
  for (int i = 0; i < 200; ++i) store.advance(source, std::to_string(++version));
  EXPECT_LT(store.bytes(), before / 2);
  expect_all();
}

TEST_F(TidyTest, what_a_snapshot_has_found_stays_where_it_is) {
  scatter();
  const auto then = state;
  const Snapshot snapshot = store.snapshot();
  for (int i = 0; i < 200; ++i) store.advance(source, std::to_string(++version));
  for (std::size_t i = 0; i < 100; ++i) put(sibling(i, noise(random, 100)));
  expect(snapshot, then);
  expect_all();
}

}  // namespace
}  // namespace flyball::cache
