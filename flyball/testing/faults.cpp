#include "flyball/testing/faults.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "flyball/base/condition.hpp"
#include "flyball/client/whole_body.hpp"
#include "flyball/json/value.hpp"
#include "flyball/json/write.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::testing {
namespace {

using Kind = net::NetError::Kind;

constexpr std::int64_t kLongestDelay = 1000;   // milliseconds
constexpr std::int64_t kLongestHold = 10'000;  // milliseconds

net::Response answer(int code, std::string_view reason) {
  const json::Value status = json::object({{"kind", "Status"},
                                           {"apiVersion", "v1"},
                                           {"metadata", json::object()},
                                           {"status", "Failure"},
                                           {"message", "this is a fault of the test"},
                                           {"reason", std::string(reason)},
                                           {"code", code}});
  return {.status = code, .headers = {{"Content-Type", "application/json"}}, .body = json::write(status)};
}

bool is_list(const net::Request& request) {
  return request.method == "GET" && request.target.find("limit=") != std::string::npos;
}

struct Named {
  std::string_view name;
  std::uint64_t FaultCounts::* count;
};
constexpr std::array<Named, 11> kCounts = {{{"requests", &FaultCounts::requests},
                                            {"lost requests", &FaultCounts::lost_requests},
                                            {"lost answers", &FaultCounts::lost_answers},
                                            {"refused", &FaultCounts::refused},
                                            {"conflicts", &FaultCounts::conflicts},
                                            {"delays", &FaultCounts::delays},
                                            {"broken watches", &FaultCounts::broken_watches},
                                            {"expired watches", &FaultCounts::expired_watches},
                                            {"held watches", &FaultCounts::held_watches},
                                            {"repeated events", &FaultCounts::repeated_events},
                                            {"stale lists", &FaultCounts::stale_lists}}};

}  // namespace

FaultCounts& FaultCounts::operator+=(const FaultCounts& more) {
  for (const Named& one : kCounts) this->*one.count += more.*one.count;
  return *this;
}

bool FaultCounts::all_happened() const {
  return std::ranges::all_of(kCounts, [&](const Named& one) { return this->*one.count > 0; });
}

std::string FaultCounts::to_string() const {
  std::string text;
  for (const Named& one : kCounts) {
    text += (text.empty() ? "" : ", ") + std::to_string(this->*one.count) + " " + std::string(one.name);
  }
  return text;
}

// What comes of a watch, and what does not.
class FaultyTransport::Stream final : public client::BodyStream {
 public:
  Stream(FaultyTransport& owner, std::unique_ptr<client::BodyStream> body, bool is_watch)
      : owner_(owner), body_(std::move(body)), is_watch_(is_watch) {}

  const net::Response& head() const noexcept override { return body_->head(); }
  std::string read(const Stop& stop) override {
    if (owner_.down_) throw net::NetError(Kind::kReset, "the server is down");
    if (!is_watch_) return body_->read(stop);
    if (owner_.clock_.now() < silent_until_ && !pause_until(owner_.clock_, silent_until_, stop)) {
      stop.throw_if_stopped();
    }
    if (!again_.empty()) return std::exchange(again_, {});
    std::string piece = body_->read(stop);
    if (piece.empty()) return piece;
    if (owner_.draw(&Faults::break_watch, &FaultCounts::broken_watches)) {
      throw net::NetError(Kind::kReset, "the watch broke off");
    }
    if (owner_.draw(&Faults::repeat_event, &FaultCounts::repeated_events)) again_ = piece;
    if (owner_.draw(&Faults::hold_watch, &FaultCounts::held_watches)) {
      again_ = std::exchange(piece, {}) + again_;
      silent_until_ = owner_.clock_.after(std::chrono::milliseconds(owner_.random_.between(1, kLongestHold)));
      return read(stop);
    }
    return piece;
  }

 private:
  FaultyTransport& owner_;
  const std::unique_ptr<client::BodyStream> body_;
  const bool is_watch_;
  std::string again_;
  TimePoint silent_until_ = {};
};

FaultyTransport::FaultyTransport(client::Transport& to, Clock& clock, Random& random, const Faults& faults)
    : to_(to), clock_(clock), random_(random), faults_(faults) {}

bool FaultyTransport::draw(double Faults::* which, std::uint64_t FaultCounts::* count) {
  const MutexLock lock(mutex_);
  if (faults_.*which <= 0 || !random_.chance(faults_.*which)) return false;
  ++(counts_.*count);
  return true;
}

void FaultyTransport::before(const net::Request& request, const Stop& stop) {
  stop.throw_if_stopped();
  if (down_) throw net::NetError(Kind::kConnect, request.method + " " + request.target + ": the server is down");
  if (draw(&Faults::delay, &FaultCounts::delays)) {
    const auto wait = std::chrono::milliseconds(random_.between(1, kLongestDelay));
    if (!pause_until(clock_, clock_.after(wait), stop)) stop.throw_if_stopped();
  }
  if (draw(&Faults::lose_request, &FaultCounts::lost_requests)) {
    throw net::NetError(Kind::kConnect, request.method + " " + request.target + ": the connection was lost");
  }
}

net::Response FaultyTransport::refusal(const net::Request& request) {
  static constexpr std::array<std::pair<int, std::string_view>, 3> kRefusals = {
      {{500, "InternalError"}, {503, "ServiceUnavailable"}, {429, "TooManyRequests"}}};
  const bool write = request.method != "GET";
  if (write && draw(&Faults::conflict, &FaultCounts::conflicts)) {
    return answer(409, "Conflict");
  }
  if (!draw(&Faults::refuse, &FaultCounts::refused)) return {.status = 0};
  const auto& [code, reason] = kRefusals[random_.below(kRefusals.size())];
  return answer(code, reason);
}

net::Response FaultyTransport::send(net::Request request, const Stop& stop) {
  if (const auto meanwhile = std::exchange(meanwhile_, {})) {
    meanwhile();
    meanwhile_ = meanwhile;
  }
  before(request, stop);
  if (net::Response refused = refusal(request); refused.status != 0) return refused;
  const std::string about = request.method + " " + request.target;
  net::Response given = to_.send(std::move(request), stop);
  {
    const MutexLock lock(mutex_);
    ++counts_.requests;
  }
  if (draw(&Faults::lose_answer, &FaultCounts::lost_answers)) {
    throw net::NetError(Kind::kReset, about + ": the connection was lost while the answer came");
  }
  return given;
}

std::unique_ptr<client::BodyStream> FaultyTransport::open(net::Request request, const Stop& stop,
                                                          const client::OpenOptions& options) {
  before(request, stop);
  const bool is_watch = request.target.find("watch=") != std::string::npos;
  const bool initial = request.target.find("sendInitialEvents") != std::string::npos;
  net::Response refused = refusal(request);
  if (refused.status == 0 && is_watch && !initial && draw(&Faults::expire_watch, &FaultCounts::expired_watches)) {
    refused = answer(410, "Expired");
  }
  // Of a server that streams its present state there are no lists that could be stale.
  if (refused.status == 0 && initial && random_.chance(faults().stale_list)) {
    refused = answer(422, "Invalid");
  }
  if (refused.status != 0) return std::make_unique<client::WholeBody>(std::move(refused));
  const std::string target = request.target;
  if (is_list(request)) {
    net::Response given = to_.send(std::move(request), stop);
    const MutexLock lock(mutex_);
    net::Response& last = lists_.try_emplace(target, given).first->second;
    if (faults_.stale_list > 0 && random_.chance(faults_.stale_list)) {
      ++counts_.stale_lists;
      return std::make_unique<client::WholeBody>(last);
    }
    last = given;
    return std::make_unique<client::WholeBody>(std::move(given));
  }
  return std::make_unique<Stream>(*this, to_.open(std::move(request), stop, options), is_watch);
}

void FaultyTransport::set_faults(const Faults& faults) {
  const MutexLock lock(mutex_);
  faults_ = faults;
}

Faults FaultyTransport::faults() const {
  const MutexLock lock(mutex_);
  return faults_;
}

FaultCounts FaultyTransport::counts() const {
  const MutexLock lock(mutex_);
  return counts_;
}

}  // namespace flyball::testing
