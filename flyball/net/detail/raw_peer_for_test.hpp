// A peer that does what a script says, byte by byte: for servers and clients that misbehave.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "flyball/base/thread.hpp"
#include "flyball/net/socket.hpp"
#include "flyball/net/url.hpp"

namespace flyball::net::detail {

// Reads until `end` has come; what came. Ends early when the peer closes.
inline std::string read_until(Stream& stream, std::string_view end, const Stop& stop = {}) {
  std::string got;
  std::array<char, 4096> buffer{};
  while (got.find(end) == std::string::npos) {
    const std::size_t n = stream.read(buffer, stop);
    if (n == 0) break;
    got.append(buffer.data(), n);
  }
  return got;
}

// Until the peer closes or breaks off.
inline std::string read_to_end(Stream& stream, const Stop& stop = {}) {
  std::string got;
  std::array<char, 4096> buffer{};
  try {
    while (const std::size_t n = stream.read(buffer, stop)) got.append(buffer.data(), n);
  } catch (const NetError&) {  // NOLINT(bugprone-empty-catch): breaking off is an end too
  }
  return got;
}

// Listens on a free port of the loopback and runs the script for one connection after the other.
class RawServer {
 public:
  using Script = std::function<void(Stream&, int connection)>;
  RawServer(Clock& clock, Script script)
      : listener_(clock, "127.0.0.1", 0), thread_(clock, "raw server", [this, script = std::move(script)] {
          try {
            for (int connection = 1;; ++connection) {
              const auto stream = listener_.accept(stop_.stop());
              try {
                script(*stream, connection);
              } catch (const NetError&) {  // NOLINT(bugprone-empty-catch): the client is gone
              }
            }
          } catch (const Stopped&) {  // NOLINT(bugprone-empty-catch): the test has ended
          }
        }) {}
  ~RawServer() { stop_.request_stop("the test has ended"); }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  Url url(const std::string& path = "/") const {
    return Url::parse("http://127.0.0.1:" + std::to_string(listener_.port()) + path);
  }
  // For scripts that wait until the test is over.
  Stop over() const { return stop_.stop(); }

 private:
  Listener listener_;
  StopSource stop_;
  Thread thread_;
};

}  // namespace flyball::net::detail
