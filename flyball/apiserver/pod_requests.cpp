#include "flyball/apiserver/pod_requests.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "flyball/apiserver/engine.hpp"
#include "flyball/apiserver/object.hpp"
#include "flyball/apiserver/pod_container.hpp"
#include "flyball/apiserver/pod_peers.hpp"
#include "flyball/apiserver/pod_ports.hpp"
#include "flyball/apiserver/reads.hpp"
#include "flyball/apiserver/refusal.hpp"
#include "flyball/net/spdy.hpp"
#include "flyball/net/websocket.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

constexpr std::chrono::seconds kStreamsWithin{30};
constexpr const char* kSpdy = "SPDY/3.1";
constexpr const char* kTunnel = "SPDY/3.1+portforward.k8s.io";
constexpr const char* kVersionHeader = "X-Stream-Protocol-Version";
const std::vector<std::string> kCommandProtocols{"v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io"};
const std::vector<std::string> kPortProtocols{"portforward.k8s.io"};

bool asks_for(const net::Request& request, std::string_view protocol) {
  return request.headers.has_word("Connection", "Upgrade") && net::same_name(request.headers.get("Upgrade"), protocol);
}

std::vector<std::uint16_t> ports_of(const Params& query) {
  std::vector<std::uint16_t> ports;
  for (const std::string& given : query.all("ports")) {
    for (std::string_view rest = given; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      std::uint16_t port = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), port);
      if (error != std::errc() || end != word.data() + word.size() || port == 0) {
        throw refuse::bad_request("invalid port number \"" + std::string(word) + "\"");
      }
      ports.push_back(port);
    }
  }
  return ports;
}

void read_command(const Call& call, PodCommand& command) {
  const Params& query = call.query;
  command.container = container_of(command.pod, query["container"]);
  command.in = query.flag("stdin");
  command.out = query.flag("stdout");
  command.error = query.flag("stderr");
  command.tty = query.flag("tty");
  if (call.subresource == "exec") command.command = query.all("command");
  const bool exec = call.subresource == "exec";
  if (exec && command.command.empty())
    throw refuse::bad_request("you must specify at least one command for the container");
  // A terminal has one output.
  if (command.tty && command.error) command.error = false;
  if (!command.in && !command.out && !command.error) {
    throw refuse::bad_request("you must specify at least 1 of stdin, stdout, stderr");
  }
}

// The first of those that the client offers which is spoken here.
std::optional<std::string> negotiate_protocol(const net::Request& request, const std::vector<std::string>& ours) {
  for (const net::Headers::Field& field : request.headers) {
    if (!net::same_name(field.name, kVersionHeader)) continue;
    for (std::string_view rest = field.value; !rest.empty();) {
      std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      while (word.starts_with(' ')) word.remove_prefix(1);
      while (word.ends_with(' ')) word.remove_suffix(1);
      if (std::ranges::find(ours, word) != ours.end()) return std::string(word);
    }
  }
  return std::nullopt;
}

net::Response no_protocol(const net::Request& request, const std::vector<std::string>& ours) {
  net::Response response{.status = 403, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}};
  std::string all;
  for (const std::string& each : ours) {
    response.headers.add("X-Accepted-Stream-Protocol-Versions", each);
    all += (all.empty() ? "" : " ") + each;
  }
  response.body = "unable to upgrade: unable to negotiate protocol: client supports [" +
                  std::string(request.headers.get(kVersionHeader)) + "], server accepts [" + all + "]";
  return response;
}

// One request that goes on.
class PodConnection {
 public:
  PodConnection(Clock& clock, const net::Request& request, net::ResponseWriter& writer, const PodRequest& asked)
      : clock_(clock), request_(request), writer_(writer), asked_(asked) {}

  void serve() { asks_for(request_, "websocket") ? serve_socket() : serve_spdy(); }

 private:
  void serve_socket() {
    const std::vector<std::string> commands{"v5.channel.k8s.io", "v4.channel.k8s.io"};
    const std::vector<std::string> ports{kTunnel, "v4.channel.k8s.io"};
    const auto socket =
        net::WebSocket::accept(clock_, request_, writer_, {.protocols = asked_.ports ? ports : commands});
    if (socket == nullptr) return;
    const Stop stop = writer_.stop();
    if (!asked_.ports) {
      ChannelPeer peer(*socket, asked_.command, stop);
      return serve_command(clock_, peer, starter(), asked_.command, stop);
    }
    if (socket->protocol() != kTunnel) {
      return forward_channels(clock_, *socket, asked_.channels, connector(), stop);
    }
    net::SpdyConnection spdy(clock_, net::spdy_over(*socket));
    forward_streams(clock_, spdy, connector(), stop);
  }

  void serve_spdy() {
    const std::vector<std::string>& ours = asked_.ports ? kPortProtocols : kCommandProtocols;
    const auto protocol = negotiate_protocol(request_, ours);
    if (!protocol) return writer_.send(no_protocol(request_, ours));
    net::Response head{.status = 101,
                       .headers = {{"Connection", "Upgrade"}, {"Upgrade", kSpdy}, {kVersionHeader, *protocol}}};
    net::SpdyConnection spdy(clock_, net::spdy_over(writer_.take_over(head)));
    const Stop stop = writer_.stop();
    if (asked_.ports) return forward_streams(clock_, spdy, connector(), stop);
    SpdyPeer peer(spdy, asked_.command, *protocol);
    if (!peer.await_streams(stop.with_deadline(clock_, clock_.after(kStreamsWithin)))) return;
    serve_command(clock_, peer, starter(), asked_.command, stop);
  }

  StartCommand starter() const {
    return [this](const Stop& stop) { return asked_.door->run(asked_.command, stop); };
  }
  ConnectPort connector() const {
    return
        [this](std::uint16_t port, const Stop& stop) { return asked_.door->connect(asked_.command.pod, port, stop); };
  }

  Clock& clock_;
  const net::Request& request_;
  net::ResponseWriter& writer_;
  const PodRequest& asked_;
};

}  // namespace

bool is_pod_request(const net::Request& request) {
  if (request.method != "GET" && request.method != "POST") return false;
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  if (!path.starts_with("/api/v1/namespaces/") || path.find("/pods/") == std::string_view::npos) return false;
  constexpr std::array kEnds{"/exec", "/attach", "/portforward"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return path.ends_with(end); });
}

PodRequest read_pod_request(Context& context, PodDoor& door) {
  const Call& call = context.call;
  PodRequest asked{.ports = call.subresource == "portforward", .door = &door};
  asked.command.pod = Object::parse(context.resource, *load_text(context, call.name)).as<core::Pod>();
  const core::Pod& pod = asked.command.pod;
  if (!asked.ports) read_command(call, asked.command);
  if (pod.spec.nodeName.empty()) {
    throw refuse::bad_request("pod " + pod.metadata.name + " does not have a host assigned");
  }
  if (!asks_for(*call.request, "websocket") && !asks_for(*call.request, kSpdy)) {
    throw refuse::bad_request("Upgrade request required");
  }
  if (asked.ports) {
    asked.channels = ports_of(call.query);
    const bool tunnel = call.request->headers.has_word("Sec-WebSocket-Protocol", kTunnel);
    if (asked.channels.empty() && !tunnel && !asks_for(*call.request, kSpdy)) {
      throw refuse::bad_request("query parameter \"ports\" is required");
    }
  }
  try {
    door.check(asked.command);
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    throw Refusal({.reason = Reason::InternalError, .message = error.what()}, {.present = false});
  }
  return asked;
}

void serve_pod_request(Clock& clock, Engine& engine, const net::Request& request, const net::PeerIdentity& caller,
                       net::ResponseWriter& writer) {
  PodRequest asked = engine.open_pod_request(request, caller, writer.stop());
  if (asked.refusal) return writer.send(std::move(*asked.refusal));
  try {
    PodConnection(clock, request, writer, asked).serve();
  } catch (const Stopped&) {         // NOLINT(bugprone-empty-catch): the server ends
  } catch (const net::NetError&) {   // NOLINT(bugprone-empty-catch): the client is gone
  } catch (const net::SpdyError&) {  // NOLINT(bugprone-empty-catch): it is none of ours
  }
}

}  // namespace flyball::apiserver
