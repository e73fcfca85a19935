// A Transport whose answers are written down beforehand, for a test on one thread and a manual clock. When the script
// has ended, the stop of the test is requested.
#pragma once

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "flyball/base/condition.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/client/transport.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::client::detail {

// What happens to who reads the body: a piece comes, nothing comes, or the connection breaks.
struct Silence {};
struct Reset {};
struct After {
  Duration pause;
  std::string piece;
};
using BodyStep = std::variant<std::string, Silence, Reset, After>;

struct ScriptedStream {
  std::vector<BodyStep> body = {};  // then it ends
  int status = 200;
  std::string content_type = "application/json";
  std::string retry_after = {};
  bool refused = false;  // no connection at all
  bool silent = false;   // no answer at all
};

class ScriptedStreams final : public Transport {
 public:
  explicit ScriptedStreams(Clock& clock) : clock_(clock) {}

  std::deque<ScriptedStream> answers;
  std::vector<net::Request> requests;
  std::vector<TimePoint> times;  // of the requests
  StopSource over;

  net::Response send(net::Request /*request*/, const Stop& /*stop*/) override { throw std::logic_error("not used"); }

  std::unique_ptr<BodyStream> open(net::Request request, const Stop& stop, const OpenOptions& /*options*/) override {
    if (answers.empty()) {
      over.request_stop("the script has ended");
      stop.throw_if_stopped();
      throw std::logic_error("the script has ended, and the test goes on");
    }
    requests.push_back(std::move(request));
    times.push_back(clock_.now());
    ScriptedStream answer = std::move(answers.front());
    answers.pop_front();
    if (answer.refused) throw net::NetError(net::NetError::Kind::kConnect, "connection refused");
    if (answer.silent) be_silent(clock_, stop);
    return std::make_unique<Body>(clock_, std::move(answer));
  }

 private:
  class Body final : public BodyStream {
   public:
    Body(Clock& clock, ScriptedStream answer) : clock_(clock), steps_(answer.body.begin(), answer.body.end()) {
      head_.status = answer.status;
      head_.headers.set("Content-Type", answer.content_type);
      if (!answer.retry_after.empty()) head_.headers.set("Retry-After", answer.retry_after);
    }
    const net::Response& head() const noexcept override { return head_; }
    std::string read(const Stop& stop) override {
      stop.throw_if_stopped();
      if (steps_.empty()) return {};
      BodyStep& step = steps_.front();
      if (std::holds_alternative<Silence>(step)) be_silent(clock_, stop);
      if (std::holds_alternative<Reset>(step)) {
        throw net::NetError(net::NetError::Kind::kReset, "the peer broke the connection off");
      }
      if (auto* after = std::get_if<After>(&step)) {
        if (!pause_until(clock_, clock_.after(after->pause), stop)) stop.throw_if_stopped();
        std::string late = std::move(after->piece);
        step = std::move(late);
      }
      std::string piece = std::get<std::string>(std::move(step));
      steps_.pop_front();
      return piece;
    }

   private:
    Clock& clock_;
    net::Response head_;
    std::deque<BodyStep> steps_;
  };

  static void be_silent(Clock& clock, const Stop& stop) {
    pause_until(clock, kNever, stop);
    stop.throw_if_stopped();
    throw std::logic_error("silent for ever");
  }

  Clock& clock_;
};

}  // namespace flyball::client::detail
