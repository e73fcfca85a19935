#include "flyball/image/reference.hpp"

#include <algorithm>

#include "flyball/base/error.hpp"
#include "flyball/image/digest.hpp"

namespace flyball::image {
namespace {

[[noreturn]] void wrong(std::string_view text, const std::string& why) {
  throw InputError({}, "",
                   "\"" + std::string(text) + "\" is no name of an image: " + why +
                       "; expected such as registry.example.com/shop/web:1");
}

bool is_host(std::string_view word) {
  return word == "localhost" || word.find_first_of(".:") != std::string_view::npos;
}

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz0123456789";

bool good_repository(std::string_view name) {
  if (name.empty() || name.size() > 255) return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty() || kLower.find(part.front()) == std::string_view::npos) return false;
    if (kLower.find(part.back()) == std::string_view::npos) return false;
    if (part.find_first_not_of(std::string(kLower) + "._-") != std::string_view::npos) return false;
  }
  return true;
}

bool good_tag(std::string_view tag) {
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !tag.empty() && tag.size() <= 128 && word(tag.front()) &&
         std::ranges::all_of(tag, [&](char c) { return word(c) || c == '.' || c == '-'; });
}

}  // namespace

Reference Reference::parse(std::string_view text) {
  std::string_view rest = text;
  Reference reference;
  if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
    reference.digest = rest.substr(at + 1);
    hex_of(reference.digest);
    rest = rest.substr(0, at);
  }
  const std::size_t slash = rest.find('/');
  if (slash != std::string_view::npos && is_host(rest.substr(0, slash))) {
    reference.host = rest.substr(0, slash);
    rest.remove_prefix(slash + 1);
  }
  if (const std::size_t colon = rest.rfind(':'); colon != std::string_view::npos) {
    reference.tag = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
    if (!good_tag(reference.tag)) wrong(text, "the tag \"" + reference.tag + "\" has characters tags do not have");
  }
  reference.repository = rest;
  if (!good_repository(rest)) wrong(text, "lower-case letters, digits and ._-/ make a name");
  if (reference.host.empty() || reference.host == "index.docker.io") reference.host = "docker.io";
  if (reference.host == "docker.io" && rest.find('/') == std::string_view::npos)
    reference.repository.insert(0, "library/");
  if (reference.tag.empty() && reference.digest.empty()) reference.tag = "latest";
  return reference;
}

std::string Reference::text() const {
  std::string text = host + "/" + repository;
  if (!tag.empty()) text += ":" + tag;
  if (!digest.empty()) text += "@" + digest;
  return text;
}

}  // namespace flyball::image
