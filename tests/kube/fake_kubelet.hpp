// A node's kubelet as far as kube-apiserver asks it for logs, exec, attach and port-forward: our own HTTPS server, with
// containers that exist in its answers only. It speaks WebSocket, which kube-apiserver passes on to nodes that declare
// the feature ExtendWebSocketsToKubelet (and, for port-forward, to all).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/condition.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/net/certificate.hpp"
#include "flyball/net/http_server.hpp"
#include "flyball/net/url.hpp"
#include "flyball/net/websocket.hpp"

namespace flyball::kubetest {

class FakeKubelet {
 public:
  explicit FakeKubelet(Clock& clock)
      : clock_(clock),
        ca_(net::CertificateAuthority::make({.common_name = "kubelet ca", .from = clock.wall_now()})),
        pair_(ca_.issue({.common_name = "kubelet", .names = {"127.0.0.1"}, .from = clock.wall_now()})),
        server_(clock, {.tls = net::TlsServerOptions{.certificate = pair_.certificate, .key = pair_.key}},
                [this](const net::Request& request, net::ResponseWriter& writer) { answer(request, writer); }) {}

  // One that does not declare it is spoken to in SPDY by kube-apiserver, which this kubelet does not understand.
  kube::core::v1::Node node(std::string name, bool websockets = true) const {
    std::vector<std::string> features;
    if (websockets) features.emplace_back("ExtendWebSocketsToKubelet");
    return {.metadata = {.name = std::move(name)},
            .status = {.addresses = {{.type = "InternalIP", .address = "127.0.0.1"}},
                       .daemonEndpoints = {.kubeletEndpoint = {.Port = server_.port()}},
                       .declaredFeatures = std::move(features)}};
  }

 private:
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  static std::string value(const Pairs& pairs, std::string_view name) {
    for (const auto& [key, text] : pairs) {
      if (key == name) return text;
    }
    return {};
  }

  void answer(const net::Request& request, net::ResponseWriter& writer) {
    const std::size_t question = request.target.find('?');
    const std::string path = request.target.substr(0, question);
    const Pairs query = net::Query::parse(question == std::string::npos ? "" : request.target.substr(question + 1));
    if (path.starts_with("/containerLogs/")) return log(query, writer);
    const auto socket =
        net::WebSocket::accept(clock_, request, writer, {.protocols = {"v5.channel.k8s.io", "v4.channel.k8s.io"}});
    if (socket == nullptr) return;
    if (path.starts_with("/exec/")) run(query, *socket, writer.stop());
    if (path.starts_with("/attach/")) socket->write_binary("\1attached to " + path, writer.stop());
    if (path.starts_with("/portForward/")) forward(query, *socket, writer.stop());
    socket->close(writer.stop());
    while (socket->read(writer.stop())) {
    }
  }

  void log(const Pairs& query, net::ResponseWriter& writer) {
    const Stop stop = writer.stop();
    writer.begin({.headers = {{"Content-Type", "text/plain"}}});
    const std::string tail = value(query, "tailLines");
    for (int line = tail.empty() ? 1 : 4 - std::stoi(tail); line <= 3; ++line) {
      writer.write("line " + std::to_string(line) + "\n");
    }
    if (value(query, "follow") != "true") return;
    writer.write("and then silence\n");
    pause_until(clock_, kNever, stop);
  }

  // cat | exit <code> | size | anything else, which is said on both outputs.
  static void run(const Pairs& query, net::WebSocket& socket, const Stop& stop) {
    std::vector<std::string> words;
    for (const auto& [key, text] : query) {
      if (key == "command") words.push_back(text);
    }
    if (words.front() == "cat") {
      while (const auto message = socket.read(stop)) {
        if (message->data == std::string("\xff\0", 2)) break;
        socket.write_binary("\1" + message->data.substr(1), stop);
      }
    } else if (words.front() == "size") {
      socket.write_binary("\1" + socket.read(stop)->data.substr(1), stop);
    } else if (words.front() != "exit") {
      for (const std::string& word : words) {
        socket.write_binary("\1" + word + " ", stop);
        socket.write_binary("\2not " + word + " ", stop);
      }
    }
    const std::string code = words.front() == "exit" ? words.at(1) : "0";
    socket.write_binary(code == "0"
                            ? std::string("\3{\"status\":\"Success\"}")
                            : "\3{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":"
                              "[{\"reason\":\"ExitCode\",\"message\":\"" +
                                  code + "\"}]}}",
                        stop);
  }

  // Says back what it is told, until "quit".
  static void forward(const Pairs& query, net::WebSocket& socket, const Stop& stop) {
    const int port = std::stoi(value(query, "port"));
    const std::string number = {static_cast<char>(port & 255), static_cast<char>(port >> 8)};
    socket.write_binary(std::string(1, '\0') + number, stop);
    socket.write_binary("\1" + number, stop);
    while (const auto message = socket.read(stop)) {
      if (message->data.ends_with("quit")) return;
      socket.write_binary(message->data, stop);
    }
  }

  Clock& clock_;
  const net::CertificateAuthority ca_;
  const net::KeyPair pair_;
  net::HttpServer server_;
};

}  // namespace flyball::kubetest
