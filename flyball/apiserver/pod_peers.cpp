#include "flyball/apiserver/pod_peers.hpp"

#include <algorithm>
#include <utility>

#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

// The channels of a WebSocket.
constexpr char kInput = 0;
constexpr char kOutput = 1;
constexpr char kErrors = 2;
constexpr char kStatus = 3;
constexpr char kResize = 4;
constexpr char kClose = static_cast<char>(255);

constexpr std::size_t kMostEarly = 64;

using Kind = CommandPeer::Said::Kind;

}  // namespace

ChannelPeer::ChannelPeer(net::WebSocket& socket, const PodCommand& command, const Stop& stop) : socket_(socket) {
  send(command.out ? kOutput : command.error ? kErrors : kStatus, "", stop);
}

CommandPeer::Said ChannelPeer::next(const Stop& stop) {
  while (auto message = socket_.read(stop)) {
    if (message->data.empty()) continue;
    const char channel = message->data.front();
    message->data.erase(0, 1);
    if (channel == kInput && !message->data.empty()) return {.kind = Kind::input, .data = std::move(message->data)};
    if (channel == kResize) {
      Said said = resize_from(message->data);
      if (said.kind == Kind::resize) return said;
    }
    if (channel == kClose && message->data == std::string_view(&kInput, 1)) return {.kind = Kind::end_of_input};
  }
  return {};
}

void ChannelPeer::write(bool error, std::string_view bytes, const Stop& stop) {
  send(error ? kErrors : kOutput, bytes, stop);
}

void ChannelPeer::finish(const json::Value& status, const Stop& stop) {
  send(kStatus, json::write(status), stop);
  socket_.close(stop);
}

void ChannelPeer::send(char channel, std::string_view bytes, const Stop& stop) {
  std::string message(1, channel);
  message += bytes;
  socket_.write_binary(message, stop);
}

std::vector<std::string> SpdyPeer::awaited_of(const PodCommand& command) {
  std::vector<std::string> types{"error"};
  if (command.in) types.emplace_back("stdin");
  if (command.out) types.emplace_back("stdout");
  if (command.error && !command.tty) types.emplace_back("stderr");
  return types;
}

bool SpdyPeer::await_streams(const Stop& stop) {
  const auto missing = [&](const std::string& type) { return !streams_.contains(type); };
  // A terminal's size has a stream, too, since version 3.
  while (std::ranges::any_of(awaited_, missing) ||
         (tty_ && protocol_ != "v2.channel.k8s.io" && !streams_.contains("resize"))) {
    auto event = spdy_.next(stop);
    if (!event) return false;
    if (event->kind != net::SpdyKind::syn_stream) {
      // Bounded: a client sends nothing on streams it has no answer for, and they come in at once.
      if (early_.size() > kMostEarly) throw Error("too much came before all streams of the command were there");
      keep(std::move(*event));
      continue;
    }
    const std::string type(event->header("streamtype"));
    if (type.empty() || streams_.contains(type)) {
      spdy_.refuse(event->stream, stop);
      continue;
    }
    streams_[type] = event->stream;
    spdy_.accept(event->stream, stop);
  }
  return true;
}

// The last words of a stream may come with data: that is two things to say.
void SpdyPeer::keep(net::SpdyEvent event) {
  const bool both = event.last && !event.data.empty();
  const std::uint32_t stream = event.stream;
  if (both) event.last = false;
  early_.push_back(std::move(event));
  if (both) early_.push_back({.kind = net::SpdyKind::data, .stream = stream, .last = true});
}

CommandPeer::Said SpdyPeer::next(const Stop& stop) {
  while (true) {
    while (!early_.empty()) {
      const net::SpdyEvent event = std::move(early_.front());
      early_.pop_front();
      Said said = said_by(event);
      if (said.kind != Kind::gone) return said;
    }
    auto event = spdy_.next(stop);
    if (!event) return {};
    if (event->kind == net::SpdyKind::syn_stream) {
      spdy_.refuse(event->stream, stop);
    } else {
      keep(std::move(*event));
    }
  }
}

// Gone for what says nothing to us.
CommandPeer::Said SpdyPeer::said_by(const net::SpdyEvent& event) const {
  const auto is = [&](std::string_view type) {
    const auto found = streams_.find(type);
    return found != streams_.end() && found->second == event.stream;
  };
  if (event.kind == net::SpdyKind::reset && is("stdin")) return {.kind = Kind::end_of_input};
  if (event.kind != net::SpdyKind::data) return {};
  if (is("stdin") && !event.data.empty()) return {.kind = Kind::input, .data = event.data};
  if (is("stdin") && event.last) return {.kind = Kind::end_of_input};
  if (is("resize") && !event.data.empty()) return resize_from(event.data);
  return {};
}

void SpdyPeer::write(bool error, std::string_view bytes, const Stop& stop) {
  const auto found = streams_.find(error ? "stderr" : "stdout");
  if (found != streams_.end()) spdy_.write(found->second, bytes, stop);
}

void SpdyPeer::finish(const json::Value& status, const Stop& stop) {
  for (const char* type : {"stdout", "stderr"}) {
    if (const auto found = streams_.find(type); found != streams_.end()) spdy_.finish(found->second, stop);
  }
  const std::uint32_t errors = streams_.at("error");
  // Before version 4 there are words when it failed, and nothing when it did not.
  if (protocol_ == "v4.channel.k8s.io") {
    spdy_.write(errors, json::write(status), stop);
  } else if (status["status"].string_or("") != "Success") {
    spdy_.write(errors, status["message"].string_or(""), stop);
  }
  spdy_.finish(errors, stop);
  spdy_.close(stop);
}

}  // namespace flyball::apiserver
