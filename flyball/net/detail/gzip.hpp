// Gzip bodies, unpacked as they come.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;  // NOLINT(readability-identifier-naming): zlib's name

namespace flyball::net::detail {

class Inflater {
 public:
  // A small body can unpack to an enormous one: past `limit` bytes it is refused.
  explicit Inflater(std::uint64_t limit);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Appends what can be unpacked so far. Throws ProtocolError.
  void feed(std::string_view packed, std::string& out);
  // The body has ended: throws ProtocolError when the packed stream has not.
  void finish() const;

 private:
  const std::unique_ptr<z_stream_s> stream_;
  const std::uint64_t limit_;
  std::uint64_t unpacked_ = 0;
  bool begun_ = false;
  bool ended_ = false;
};

// The whole text packed.
std::string gzip(std::string_view text);

}  // namespace flyball::net::detail
