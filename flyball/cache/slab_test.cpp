#include "flyball/cache/slab.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace flyball::cache {
namespace {

TEST(Slab, gives_back_what_was_put_in) {
  Slab slab;
  const auto empty = slab.put("");
  const auto small = slab.put("hello");
  const auto large = slab.put(std::string(100'000, 'x'));
  EXPECT_EQ(slab.get(empty), "");
  EXPECT_EQ(slab.get(small), "hello");
  EXPECT_EQ(slab.get(large), std::string(100'000, 'x'));
  EXPECT_EQ(slab.count(), 3U);
  EXPECT_EQ(slab.bytes_used(), 100'005U);
}

TEST(Slab, an_empty_slab_holds_nothing) {
  Slab slab;
  std::vector<Slab::Place> places;
  for (int i = 0; i < 10'000; ++i) places.push_back(slab.put(std::string(static_cast<std::size_t>(i % 3000), 'x')));
  EXPECT_GT(slab.bytes_held(), slab.bytes_used());
  for (const auto place : places) slab.give_back(place);
  EXPECT_EQ(slab.bytes_held(), 0U);
  EXPECT_EQ(slab.bytes_used(), 0U);
  EXPECT_EQ(slab.count(), 0U);
}

TEST(Slab, wastes_little) {
  Slab slab;
  for (std::size_t i = 0; i < 50'000; ++i) slab.put(std::string(400 + i * 7 % 400, 'x'));
  EXPECT_LT(static_cast<double>(slab.bytes_held()), 1.12 * static_cast<double>(slab.bytes_used()));
}

TEST(Slab, freed_places_are_used_again) {
  Slab slab;
  std::vector<Slab::Place> places;
  for (int i = 0; i < 1000; ++i) places.push_back(slab.put(std::string(500, 'x')));
  const std::size_t held = slab.bytes_held();
  for (int round = 0; round < 10; ++round) {
    for (std::size_t i = 0; i < places.size(); i += 2) slab.give_back(places[i]);
    for (std::size_t i = 0; i < places.size(); i += 2) places[i] = slab.put(std::string(500, 'y'));
    EXPECT_EQ(slab.bytes_held(), held);
  }
}

TEST(Slab, tidied_up_it_holds_little_more_than_what_is_in_it) {
  Slab slab;
  std::vector<Slab::Place> places;
  for (std::size_t i = 0; i < 20'000; ++i) places.push_back(slab.put(std::string(200 + i * 7 % 400, 'x')));
  std::vector<Slab::Place> left;
  for (std::size_t i = 0; i < places.size(); ++i) {
    i % 3 == 0 ? left.push_back(places[i]) : slab.give_back(places[i]);
  }
  const std::size_t used = slab.bytes_used();
  EXPECT_GT(slab.bytes_free(), used);
  EXPECT_GT(slab.begin_tidying(), 0U);
  for (Slab::Place& place : left) {
    if (!slab.is_leaving(place)) continue;
    const Slab::Place from = place;
    place = slab.put(std::string(slab.get(from)));
    EXPECT_FALSE(slab.is_leaving(place));
    slab.give_back(from);
  }
  slab.end_tidying();
  EXPECT_EQ(slab.bytes_used(), used);
  EXPECT_LT(static_cast<double>(slab.bytes_held()), 1.25 * static_cast<double>(used));
  EXPECT_EQ(slab.begin_tidying(), 0U);
  slab.end_tidying();
  for (const Slab::Place& place : left) slab.give_back(place);
  EXPECT_EQ(slab.bytes_held(), 0U);
  EXPECT_EQ(slab.bytes_free(), 0U);
}

TEST(Slab, tidying_that_is_not_finished_does_no_harm) {
  Slab slab;
  std::vector<Slab::Place> places;
  for (std::size_t i = 0; i < 5'000; ++i) places.push_back(slab.put(std::string(300, 'x')));
  for (std::size_t i = 0; i < places.size(); i += 2) slab.give_back(places[i]);
  const std::size_t held = slab.bytes_held();
  EXPECT_GT(slab.begin_tidying(), 0U);
  slab.end_tidying();
  for (std::size_t i = 0; i < places.size(); i += 2) places[i] = slab.put(std::string(300, 'y'));
  EXPECT_EQ(slab.bytes_held(), held);
}

TEST(SlabLaws, whatever_comes_and_goes_everything_else_stays_as_it_was) {
  EXPECT_TRUE(rc::check([] {
    Slab slab;
    std::vector<std::pair<Slab::Place, std::string>> living;
    const auto steps = *rc::gen::container<std::vector<std::pair<std::size_t, bool>>>(
        rc::gen::pair(rc::gen::inRange<std::size_t>(0, 20'000), rc::gen::arbitrary<bool>()));
    std::size_t used = 0;
    for (const auto& [number, remove] : steps) {
      if (remove && !living.empty()) {
        const std::size_t which = number % living.size();
        slab.give_back(living[which].first);
        used -= living[which].second.size();
        living.erase(living.begin() + static_cast<std::ptrdiff_t>(which));
      } else {
        std::string bytes(number, static_cast<char>('a' + number % 26));
        const auto place = slab.put(bytes);
        used += bytes.size();
        living.emplace_back(place, std::move(bytes));
      }
    }
    for (const auto& [place, bytes] : living) RC_ASSERT(slab.get(place) == bytes);
    RC_ASSERT(slab.bytes_used() == used);
    RC_ASSERT(slab.count() == living.size());
  }));
}

TEST(Slab, what_is_large_takes_what_it_needs_and_no_more) {
  Slab slab;
  std::vector<Slab::Place> places;
  for (std::size_t size = 10'000; size < 20'000; size += 100) places.push_back(slab.put(std::string(size, 'x')));
  EXPECT_LT(slab.bytes_held(), slab.bytes_used() * 101 / 100);
  for (const Slab::Place& place : places) slab.give_back(place);
  EXPECT_EQ(slab.bytes_held(), 0);
}

}  // namespace
}  // namespace flyball::cache
