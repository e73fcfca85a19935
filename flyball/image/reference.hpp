// Reference: the name of an image, taken apart.
//
//   Reference::parse("localhost:5000/shop/web:1")     // host localhost:5000, repository shop/web, tag 1
//   Reference::parse("memcached")                     // host docker.io, repository library/memcached, tag latest
//
// Errors: InputError that says what an image's name looks like.
//
// Thread-safety: values.
#pragma once

#include <string>
#include <string_view>

namespace flyball::image {

struct Reference {
  std::string host = {};
  std::string repository = {};
  std::string tag = {};     // empty when only a digest was given
  std::string digest = {};  // empty: none was given

  static Reference parse(std::string_view text);
  // Tag or digest, for a registry.
  const std::string& version() const { return digest.empty() ? tag : digest; }
  // "localhost:5000/shop/web:1", whole.
  std::string text() const;
};

}  // namespace flyball::image
