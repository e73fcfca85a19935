#include "flyball/image/gzip.hpp"

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::image {
namespace {

constexpr std::size_t kLimit = 1U << 20U;

TEST(ImageGzip, UnpacksWhatItPacked) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i);
  EXPECT_EQ(gunzip(gzip(text), kLimit), text);
  EXPECT_EQ(gunzip(gzip(""), kLimit), "");
}

TEST(ImageGzip, IsTheSameEveryTimeAndHoldsNoTime) {
  const std::string packed = gzip("layer");
  EXPECT_EQ(packed, gzip("layer"));
  EXPECT_TRUE(is_gzip(packed));
  EXPECT_EQ(packed.substr(4, 4), std::string(4, '\0'));
}

TEST(ImageGzip, SeveralStreamsAreOneText) { EXPECT_EQ(gunzip(gzip("a") + gzip("b"), kLimit), "ab"); }

TEST(ImageGzip, RefusesABombRubbishAndAPart) {
  EXPECT_THROW(gunzip(gzip(std::string(kLimit + 1, 'x')), kLimit), Error);
  EXPECT_EQ(gunzip(gzip(std::string(kLimit, 'x')), kLimit).size(), kLimit);
  EXPECT_THROW(gunzip("\x1f\x8brubbish", kLimit), Error);
  const std::string packed = gzip("layer");
  EXPECT_THROW(gunzip(packed.substr(0, packed.size() - 3), kLimit), Error);
  EXPECT_THROW(gunzip("", kLimit), Error);
}

}  // namespace
}  // namespace flyball::image
