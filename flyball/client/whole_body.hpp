// WholeBody: an answer that is there already, for those who asked for a stream.
//
//   return std::make_unique<WholeBody>(response);        // a refusal, instead of the watch
//
// Thread-safety: as BodyStream: one thread at a time. Lifetime: holds the answer.
#pragma once

#include <string>
#include <utility>

#include "flyball/client/transport.hpp"

namespace flyball::client {

class WholeBody final : public BodyStream {
 public:
  explicit WholeBody(net::Response response) : body_(std::exchange(response.body, {})), head_(std::move(response)) {}

  const net::Response& head() const noexcept override { return head_; }
  // At once, so also for one who has no time to wait: a watch that is polled.
  std::string read(const Stop& /*stop*/) override { return std::exchange(body_, {}); }

 private:
  std::string body_;
  net::Response head_;
};

}  // namespace flyball::client
