// A Transport that gives the answers it was told to give, in order, and keeps the requests. For tests.
//
//   ScriptedTransport transport;
//   transport.answers(json_answer(200, R"({"kind": "Pod"})"));
//   transport.breaks(net::NetError::Kind::kReset);
//   ... EXPECT_EQ(transport.requests.at(0).target, "/api/v1/...");
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/base/stop.hpp"
#include "flyball/client/transport.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::client::detail {

inline net::Response json_answer(int status, std::string body, net::Headers headers = {}) {
  headers.set("Content-Type", "application/json");
  return {.status = status, .headers = std::move(headers), .body = std::move(body)};
}

inline net::Response protobuf_answer(int status, std::string body) {
  return {
      .status = status, .headers = {{"Content-Type", "application/vnd.kubernetes.protobuf"}}, .body = std::move(body)};
}

class ScriptedTransport final : public Transport {
 public:
  using Step = std::function<net::Response(const net::Request&, const Stop&)>;

  void answers(net::Response response) {
    does([response = std::move(response)](const net::Request&, const Stop&) { return response; });
  }
  void breaks(net::NetError::Kind kind) {
    does([kind](const net::Request&, const Stop&) -> net::Response {
      throw net::NetError(kind, "the connection to server:6443 broke");
    });
  }
  void does(Step step) { steps_.push_back(std::move(step)); }

  net::Response send(net::Request request, const Stop& stop) override {
    stop.throw_if_stopped();
    requests.push_back(request);
    if (steps_.empty()) {
      ADD_FAILURE() << "an unexpected request: " << request.method << " " << request.target;
      return json_answer(500, "{}");
    }
    const Step step = std::move(steps_.front());
    steps_.pop_front();
    return step(request, stop);
  }

  std::unique_ptr<BodyStream> open(net::Request request, const Stop& stop, const OpenOptions& /*options*/) override {
    return std::make_unique<Whole>(send(std::move(request), stop));
  }

  bool finished() const { return steps_.empty(); }

  std::vector<net::Request> requests;

 private:
  class Whole final : public BodyStream {
   public:
    explicit Whole(net::Response response) : head_(std::move(response)) { std::swap(body_, head_.body); }
    const net::Response& head() const noexcept override { return head_; }
    std::string read(const Stop& /*stop*/) override { return std::exchange(body_, {}); }

   private:
    net::Response head_;
    std::string body_;
  };

  std::deque<Step> steps_;
};

}  // namespace flyball::client::detail
