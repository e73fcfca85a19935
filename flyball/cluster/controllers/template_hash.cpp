#include "flyball/cluster/controllers/template_hash.hpp"

#include "flyball/reflect/encode.hpp"

namespace flyball::cluster {
namespace {

constexpr std::uint32_t kBasis = 2166136261;
constexpr std::uint32_t kPrime = 16777619;
constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";

std::uint32_t fnv(std::uint32_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

}  // namespace

std::string text_hash(std::string_view text, std::optional<std::int32_t> collisions) {
  std::uint32_t hash = fnv(kBasis, text);
  if (collisions) hash = fnv(hash, "#" + std::to_string(*collisions));
  std::string word = std::to_string(hash);
  for (char& c : word) c = kLetters[static_cast<unsigned char>(c) % kLetters.size()];
  return word;
}

std::string template_hash(const kube::core::v1::PodTemplateSpec& pattern, std::optional<std::int32_t> collisions) {
  return text_hash(reflect::encode(pattern), collisions);
}

}  // namespace flyball::cluster
