#include "flyball/client/detail/refreshed.hpp"

#include <exception>
#include <utility>

namespace flyball::client::detail {
namespace {

std::string header_of(const Secret& token) { return token.empty() ? "" : "Bearer " + token.reveal(); }

}  // namespace

RefreshedCredentials::RefreshedCredentials(Clock& clock, std::optional<Held> first)
    : clock_(clock), fetched_(clock), held_(std::move(first)) {}

void RefreshedCredentials::authorize(net::Headers& headers, const Stop& stop) {
  const Held held = current(stop);
  if (!held.token.empty()) headers.set("Authorization", header_of(held.token));
}

std::optional<ClientCertificate> RefreshedCredentials::certificate(const Stop& stop) {
  return current(stop).certificate;
}

bool RefreshedCredentials::rejected(const net::Headers& sent) {
  MutexLock lock(mutex_);
  // Somebody else who was rejected has dropped or replaced them already.
  if (!held_ || header_of(held_->token) != sent.get("Authorization")) return true;
  if (!can_fetch()) return false;
  held_.reset();
  return true;
}

RefreshedCredentials::Held RefreshedCredentials::current(const Stop& stop) {
  MutexLock lock(mutex_);
  if (!fetched_.wait(mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return !fetching_; })) stop.throw_if_stopped();
  if (held_ && clock_.wall_now() < held_->until) return *held_;
  fetching_ = true;
  lock.unlock();
  std::optional<Held> fresh;
  std::exception_ptr problem;
  try {
    fresh = fetch(stop);
  } catch (...) {
    problem = std::current_exception();
  }
  lock.lock();
  fetching_ = false;
  fetched_.notify_all();
  if (problem) std::rethrow_exception(problem);
  held_ = fresh;
  return *fresh;
}

}  // namespace flyball::client::detail
