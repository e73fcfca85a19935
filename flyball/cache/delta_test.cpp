#include "flyball/cache/delta.hpp"

#include <string>

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/base/random.hpp"

namespace flyball::cache {
namespace {

std::string words(Random& random, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += random.name_suffix(1 + random.below(12)) + " ";
  return text;
}

// One that was cut, pasted and written over here and there.
std::string edited(std::string text, Random& random) {
  for (int edits = 0; edits < 6; ++edits) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t length = std::min<std::size_t>(text.size() - at, random.below(40));
    switch (random.below(4)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, words(random, 3)); break;
      case 2: text.insert(at, text.substr(random.below(text.size() + 1), 30)); break;
      default: text.replace(at, length, random.name_suffix(length));
    }
  }
  return text;
}

TEST(Delta, an_object_comes_back_as_it_was) {
  Random random(1);
  for (std::uint64_t round = 1; round <= 2000; ++round) {
    const std::string base = words(random, random.below(200));
    const std::string object = random.chance(0.1) ? words(random, random.below(100)) : edited(base + "x", random);
    DeltaEncoder encoder;
    encoder.set_base(round, base);
    const std::string delta(encoder.encode(object, SIZE_MAX));
    ASSERT_EQ(apply_delta(base, delta), object) << "round " << round;
  }
}

TEST(Delta, what_is_equal_takes_a_few_bytes) {
  Random random(2);
  const std::string base = words(random, 1000);
  DeltaEncoder encoder;
  encoder.set_base(1, base);
  EXPECT_LT(encoder.encode(base, base.size()).size(), 10U);
}

TEST(Delta, a_twin_takes_little_more_than_what_differs) {
  Random random(3);
  const std::string base = words(random, 1000);
  std::string object = base;
  object.replace(500, 36, random.uuid());
  object.insert(3000, "kube-api-access-x2k9q");
  object.insert(5000, "kube-api-access-x2k9q");  // said once
  DeltaEncoder encoder;
  encoder.set_base(1, base);
  EXPECT_LT(encoder.encode(object, object.size()).size(), 36U + 21U + 25U);
}

TEST(Delta, hexadecimal_digits_take_half) {
  Random random(6);
  const std::string base = words(random, 100) + "containerd://" + std::string(64, '0') + words(random, 100);
  for (const std::size_t digits : {15U, 16U, 17U, 64U, 65U}) {
    std::string id;
    while (id.size() < digits) id += "0123456789abcdef"[random.below(16)];
    std::string object = base;
    object.replace(object.find("://") + 3, 64, id);
    DeltaEncoder encoder;
    encoder.set_base(1, base);
    const std::string delta(encoder.encode(object, SIZE_MAX));
    EXPECT_EQ(apply_delta(base, delta), object);
    EXPECT_LT(delta.size(), (digits % 2 == 0 && digits >= 16 ? digits / 2 : digits) + 16);
  }
}

TEST(Delta, one_that_would_be_larger_than_allowed_is_none) {
  Random random(4);
  DeltaEncoder encoder;
  encoder.set_base(1, words(random, 100));
  EXPECT_TRUE(encoder.encode(words(random, 100), 100).empty());
  EXPECT_FALSE(encoder.encode("abc", 100).empty());
  EXPECT_TRUE(encoder.encode("abcdefghi", 3).empty());
}

TEST(Delta, nothing_and_the_shortest_things_work) {
  DeltaEncoder encoder;
  for (const std::string base : {"", "a", "abcdefgh"}) {
    encoder.set_base(1, base);
    for (const std::string object : {"", "b", "abcdefgh", "abcdefghabcdefghabcdefgh"}) {
      EXPECT_EQ(apply_delta(base, encoder.encode(object, SIZE_MAX)), object);
    }
  }
}

TEST(Delta, damage_is_found_or_gives_something_else_but_never_reads_beyond) {
  Random random(5);
  const std::string base = words(random, 200);
  DeltaEncoder encoder;
  encoder.set_base(1, base);
  const std::string delta(encoder.encode(edited(base, random), SIZE_MAX));
  for (std::size_t i = 0; i < delta.size(); ++i) {
    std::string wrong = delta;
    wrong[i] = static_cast<char>(wrong[i] ^ static_cast<char>(1U << random.below(8)));
    for (const std::string& bad : {wrong, delta.substr(0, i)}) {
      try {
        (void)apply_delta(base, bad);
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace flyball::cache
