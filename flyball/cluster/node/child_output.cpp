#include "flyball/cluster/node/child_output.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include <poll.h>
#include <unistd.h>

namespace flyball::cluster::node {
namespace {

constexpr std::size_t kPiece = 65536;
constexpr std::size_t kMostKept = 10240;  // what the kubelet keeps of a probe's

}  // namespace

bool Attached::flush() {
  while (!waiting.empty()) {
    const ssize_t written = ::write(to.get(), waiting.data(), waiting.size());
    if (written < 0) return errno == EAGAIN || errno == EINTR;
    waiting.erase(0, static_cast<std::size_t>(written));
  }
  // One who has gone is seen without writing, too.
  pollfd self{.fd = to.get(), .events = 0, .revents = 0};
  return ::poll(&self, 1, 0) <= 0 || (self.revents & (POLLERR | POLLNVAL)) == 0;
}

void ChildOutput::attach(net::OwnedDescriptor to) {
  net::set_non_blocking(to.get());
  attached_.push_back({.to = std::move(to)});
}

bool ChildOutput::somebody_waits() const {
  return std::ranges::any_of(attached_, [](const Attached& each) { return !each.waiting.empty(); });
}

void ChildOutput::add_to(std::vector<pollfd>& polls) const {
  if (from_ && !somebody_waits()) polls.push_back({.fd = from_.get(), .events = POLLIN, .revents = 0});
  for (const Attached& each : attached_) {
    const short events = each.waiting.empty() ? 0 : POLLOUT;
    polls.push_back({.fd = each.to.get(), .events = events, .revents = 0});
  }
}

void ChildOutput::act() {
  flush();
  if (!somebody_waits()) read(false);
}

void ChildOutput::flush() {
  std::erase_if(attached_, [](Attached& each) { return !each.flush(); });
}

void ChildOutput::read(bool to_the_end) {
  std::array<char, kPiece> piece{};
  while (from_) {
    const ssize_t got = ::read(from_.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return from_.reset();
    take({piece.data(), static_cast<std::size_t>(got)});
    if (to_the_end) continue;
    // A program that prints without end must not keep the others waiting.
    if (somebody_waits() || static_cast<std::size_t>(got) == piece.size()) return;
  }
}

void ChildOutput::take(std::string_view piece) {
  if (log_) {
    log_->add(piece, std::chrono::system_clock::now());
  } else if (attached_.empty()) {
    text_.append(piece.substr(0, kMostKept - text_.size()));
  }
  for (Attached& each : attached_) each.waiting += piece;
  flush();
}

std::vector<Attached> ChildOutput::finish() {
  read(true);
  if (log_) log_->finish(std::chrono::system_clock::now());
  std::erase_if(attached_, [](const Attached& each) { return each.waiting.empty(); });
  return std::move(attached_);
}

}  // namespace flyball::cluster::node
