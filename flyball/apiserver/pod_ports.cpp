#include "flyball/apiserver/pod_ports.hpp"

#include <charconv>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "flyball/apiserver/pod_port_pump.hpp"
#include "flyball/base/mutex.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::chrono::seconds kGoodbye{5};
constexpr std::size_t kMostConnections = 1000;

std::optional<std::uint16_t> port_from(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

// Each connection is two streams with the same number: one for its data, one for what goes wrong with it.
class StreamForward {
 public:
  StreamForward(Clock& clock, net::SpdyConnection& spdy, const ConnectPort& connect, const Stop& stop)
      : spdy_(spdy), connect_(connect), pump_(clock, [this](const auto&... said) { pass_back(said...); }, stop) {}

  void run() {
    const Stop stop = pump_.over();
    try {
      while (const auto event = spdy_.next(stop)) hear(*event, stop);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): gone, one way or the other
    }
  }

 private:
  struct Halves {
    std::optional<std::uint32_t> data = {};
    std::optional<std::uint32_t> error = {};
  };

  void hear(const net::SpdyEvent& event, const Stop& stop) {
    if (event.kind == net::SpdyKind::syn_stream) return begin(event, stop);
    if (event.kind == net::SpdyKind::reset) return pump_.remove(event.stream);
    if (event.kind != net::SpdyKind::data) return;
    if (!event.data.empty()) pump_.write(event.stream, event.data, stop);
    if (event.last) pump_.end_input(event.stream);
  }

  void begin(const net::SpdyEvent& event, const Stop& stop) {
    const std::string_view type = event.header("streamtype");
    const auto port = port_from(event.header("port"));
    const bool known = type == "data" || type == "error";
    if (!known || !port || pump_.size() >= kMostConnections || begun_.size() >= kMostConnections) {
      return spdy_.refuse(event.stream, stop);
    }
    // Clients of old give no number, and make their streams one after the other.
    std::string id(event.header("requestid"));
    if (id.empty()) id = "port " + std::string(event.header("port"));
    Halves& halves = begun_[id];
    (type == "data" ? halves.data : halves.error) = event.stream;
    spdy_.accept(event.stream, stop);
    if (!halves.data || !halves.error) return;
    const Halves both = halves;
    begun_.erase(id);
    connect(*port, *both.data, *both.error, stop);
  }

  void connect(std::uint16_t port, std::uint32_t data, std::uint32_t error, const Stop& stop) {
    try {
      net::OwnedDescriptor connection = connect_(port, stop);
      {
        MutexLock lock(mutex_);
        errors_[data] = error;
      }
      pump_.add(data, std::move(connection));
    } catch (const Stopped&) {
      throw;
    } catch (const Error& why) {
      spdy_.write(error, why.what(), stop);
      spdy_.finish(error, stop);
      spdy_.finish(data, stop);
    }
  }

  // From the pump's thread.
  void pass_back(std::uint32_t data, std::string_view bytes, const Stop& stop) {
    if (!bytes.empty()) return spdy_.write(data, bytes, stop);
    std::uint32_t error = 0;
    {
      MutexLock lock(mutex_);
      const auto found = errors_.find(data);
      if (found == errors_.end()) return;
      error = found->second;
      errors_.erase(found);
    }
    // kubectl hangs up on its own client when both have ended.
    spdy_.finish(data, stop);
    spdy_.finish(error, stop);
  }

  net::SpdyConnection& spdy_;
  const ConnectPort& connect_;
  std::map<std::string, Halves> begun_;  // the reading thread's

  Mutex mutex_;
  std::map<std::uint32_t, std::uint32_t> errors_ FLYBALL_GUARDED_BY(mutex_);  // by the data's stream

  PortPump pump_;  // last: it uses all of the above
};

std::string message_of(std::size_t channel, std::string_view bytes) {
  std::string message(1, static_cast<char>(channel));
  message += bytes;
  return message;
}

std::string port_bytes(std::uint16_t port) { return {static_cast<char>(port & 0xffU), static_cast<char>(port >> 8U)}; }

class ChannelForward {
 public:
  ChannelForward(Clock& clock, net::WebSocket& socket, const Stop& stop)
      : socket_(socket), pump_(clock, [this](const auto&... said) { pass_back(said...); }, stop) {}

  void run(const std::vector<std::uint16_t>& ports, const ConnectPort& connect) {
    const Stop stop = pump_.over();
    try {
      open(ports, connect, stop);
      while (const auto message = socket_.read(stop)) {
        if (message->data.size() < 2) continue;
        const auto channel = static_cast<unsigned char>(message->data.front());
        if (channel % 2 == 0) pump_.write(channel / 2U, std::string_view(message->data).substr(1), stop);
      }
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): gone, one way or the other
    }
  }

 private:
  // Every channel begins with the port it is of.
  void open(const std::vector<std::uint16_t>& ports, const ConnectPort& connect, const Stop& stop) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      socket_.write_binary(message_of(2 * i, port_bytes(ports[i])), stop);
      socket_.write_binary(message_of(2 * i + 1, port_bytes(ports[i])), stop);
    }
    {
      MutexLock lock(mutex_);
      open_ = ports.size();
    }
    for (std::size_t i = 0; i < ports.size(); ++i) {
      try {
        pump_.add(static_cast<std::uint32_t>(i), connect(ports[i], stop));
      } catch (const Stopped&) {
        throw;
      } catch (const Error& why) {
        socket_.write_binary(message_of(2 * i + 1, why.what()), stop);
        note_end(stop);
      }
    }
  }

  // From the pump's thread.
  void pass_back(std::uint32_t id, std::string_view bytes, const Stop& stop) {
    if (bytes.empty()) return note_end(stop);
    socket_.write_binary(message_of(std::size_t{2} * id, bytes), stop);
  }

  // With the last of them the socket ends: the protocol has no other word for it.
  void note_end(const Stop& stop) {
    {
      MutexLock lock(mutex_);
      if (--open_ > 0) return;
    }
    socket_.close(stop);
  }

  net::WebSocket& socket_;

  Mutex mutex_;
  std::size_t open_ FLYBALL_GUARDED_BY(mutex_) = 0;  // connections that the pod has not ended

  PortPump pump_;  // last: it uses all of the above
};

}  // namespace

void forward_streams(Clock& clock, net::SpdyConnection& spdy, const ConnectPort& connect, const Stop& stop) {
  StreamForward(clock, spdy, connect, stop).run();
  try {
    spdy.close(stop.with_deadline(clock, clock.after(kGoodbye)));
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): a courtesy
  }
}

void forward_channels(Clock& clock, net::WebSocket& socket, const std::vector<std::uint16_t>& ports,
                      const ConnectPort& connect, const Stop& stop) {
  ChannelForward(clock, socket, stop).run(ports, connect);
}

}  // namespace flyball::apiserver
