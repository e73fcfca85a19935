#include "flyball/net/digest.hpp"

#include <gtest/gtest.h>

namespace flyball::net {
namespace {

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    const auto number = static_cast<unsigned char>(byte);
    text += "0123456789abcdef"[number >> 4U];
    text += "0123456789abcdef"[number & 0xfU];
  }
  return text;
}

// The vectors of FIPS 180-2.
TEST(Digest, Sha256IsThatOfTheStandard) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace flyball::net
