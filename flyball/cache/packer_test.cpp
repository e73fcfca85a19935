#include "flyball/cache/packer.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/base/error.hpp"
#include "flyball/base/random.hpp"

namespace flyball::cache {
namespace {

std::string noise(Random& random, std::size_t size) {
  std::string text;
  while (text.size() < size) text += static_cast<char>(random.next() & 0xff);
  return text;
}

// An object like many others: a frame that all share, and a little of its own.
std::string object(Random& random, char family) {
  std::string text = std::string("{\"kind\":\"") + family + "\",\"labels\":{\"app\":\"shop\",\"tier\":\"";
  for (int i = 0; i < 30; ++i) text += std::string("\",\"field-") + family + std::to_string(i * i * 31) + "\":\"";
  return text + std::to_string(random.next()) + "\"}}";
}

const PackerOptions kSmall{.dictionary_bytes = 4096, .sample_bytes = 50'000, .fewest_samples = 20};

// Packs, and gives samples when they are wanted, as a store does.
Packed pack(Packer& packer, const std::string& bytes, std::vector<std::string>& latest) {
  latest.push_back(bytes);
  if (packer.wants_samples()) {
    std::string samples;
    std::vector<std::size_t> sizes;
    const std::size_t from = latest.size() - std::min<std::size_t>(latest.size(), 100);
    for (std::size_t i = from; i < latest.size(); ++i) {
      samples += latest[i];
      sizes.push_back(latest[i].size());
    }
    packer.learn(samples, sizes);
  }
  return packer.pack(bytes);
}

struct PackerTest : testing::Test {
  Packed packed(const std::string& bytes) { return pack(packer, bytes, latest); }

  Random random{1};
  Packer packer{kSmall};
  std::vector<std::string> latest;
};

TEST_F(PackerTest, unpacks_what_it_packed_before_and_after_it_learned) {
  for (int i = 0; i < 500; ++i) {
    const std::string bytes = object(random, 'a');
    const Packed small = packed(bytes);
    packer.retain(small.dictionary);
    ASSERT_EQ(packer.unpack(small.bytes, small.dictionary), bytes);
  }
  EXPECT_GT(packer.dictionary(), kAlone);
}

TEST_F(PackerTest, a_learned_dictionary_makes_objects_much_smaller) {
  const std::size_t alone = packed(object(random, 'a')).bytes.size();
  while (packer.dictionary() == kAlone) packed(object(random, 'a'));
  const std::size_t with = packed(object(random, 'a')).bytes.size();
  EXPECT_LT(with * 3, alone);
}

TEST(Packer, what_does_not_become_smaller_is_kept_as_it_is) {
  Random random(1);
  Packer packer(kSmall);
  for (int i = 0; i < 100; ++i) {
    const std::string bytes = noise(random, 2000);
    const Packed packed = packer.pack(bytes);
    ASSERT_EQ(packed.dictionary, kRaw);
    ASSERT_EQ(packed.bytes, bytes);
    ASSERT_EQ(packer.unpack(packed.bytes, kRaw), bytes);
  }
}

TEST_F(PackerTest, learns_anew_when_objects_no_longer_look_like_the_dictionary) {
  while (packer.dictionary() == kAlone) packed(object(random, 'a'));
  const DictionaryId first = packer.dictionary();
  for (int i = 0; i < 1000; ++i) packed(object(random, 'a'));
  EXPECT_EQ(packer.dictionary(), first) << "nothing changed";
  for (int i = 0; i < 5000 && packer.dictionary() == first; ++i) packed(object(random, 'b'));
  EXPECT_NE(packer.dictionary(), first);
}

TEST_F(PackerTest, a_dictionary_lives_as_long_as_objects_are_packed_with_it) {
  while (packer.dictionary() == kAlone) packed(object(random, 'a'));
  const DictionaryId first = packer.dictionary();
  const std::string bytes = object(random, 'a');
  const std::string kept(packed(bytes).bytes);
  packer.retain(first);
  for (int i = 0; i < 1000; ++i) packed(object(random, 'a'));
  while (packer.dictionary() == first) packed(object(random, 'b'));
  EXPECT_EQ(packer.unpack(kept, first), bytes);
  const std::size_t with_both = packer.bytes_held();
  packer.release(first);
  EXPECT_LT(packer.bytes_held(), with_both);
  EXPECT_THROW(packer.unpack(kept, first), Error);
}

TEST_F(PackerTest, keeps_its_dictionary_when_another_would_be_no_better) {
  while (packer.dictionary() == kAlone) packed(object(random, 'a'));
  const DictionaryId first = packer.dictionary();
  std::string samples;
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 100; ++i) {
    const std::string bytes = object(random, 'a');
    samples += bytes;
    sizes.push_back(bytes.size());
  }
  packer.learn(samples, sizes);
  EXPECT_EQ(packer.dictionary(), first);
}

TEST(Packer, damaged_bytes_are_an_error) {
  Packer packer;
  const std::string bytes(1000, 'x');
  const std::string packed(packer.pack(bytes).bytes);
  EXPECT_THROW(packer.unpack("", kAlone), Error);
  EXPECT_THROW(packer.unpack(packed.substr(0, packed.size() - 1), kAlone), Error);
  EXPECT_THROW(packer.unpack(std::string(20, '\xff'), kAlone), Error);
}

TEST(PackerLaws, unpack_is_the_opposite_of_pack) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& texts) {
    Packer packer({.dictionary_bytes = 1024, .sample_bytes = 100, .fewest_samples = 5});
    std::vector<std::string> latest;
    for (const std::string& bytes : texts) {
      const Packed packed = pack(packer, bytes, latest);
      RC_ASSERT(packer.unpack(packed.bytes, packed.dictionary) == bytes);
    }
  }));
}

}  // namespace
}  // namespace flyball::cache
