#include "flyball/cluster/node/probe_child.hpp"

#include "flyball/base/clock.hpp"
#include "flyball/net/http_client.hpp"
#include "flyball/net/socket.hpp"

namespace flyball::cluster::node {
namespace {

constexpr int kFirstGood = 200;
constexpr int kFirstBad = 400;

std::string authority(const ProbeRequest& request) { return request.host + ":" + std::to_string(request.port); }

ProbeAnswer ask_http(Clock& clock, const ProbeRequest& request, const Stop& stop) {
  // Whoever answers there is the pod itself: its certificate proves nothing, and is not looked at.
  net::HttpClient http(clock, {.tls = {.insecure = true}});
  net::Request get{.method = "GET"};
  get.headers.set("User-Agent", "kube-probe/1.36");
  get.headers.set("Accept", "*/*");
  for (const auto& [name, value] : request.headers) get.headers.set(name, value);
  const std::string slash = request.path.starts_with('/') ? "" : "/";
  const std::string url = request.scheme + "://" + authority(request) + slash + request.path;
  const net::Response response = http.send(net::Url::parse(url), get, stop);
  if (response.status >= kFirstGood && response.status < kFirstBad) return {.success = true};
  return {.text = "HTTP probe failed with statuscode: " + std::to_string(response.status)};
}

}  // namespace

ProbeAnswer ask_over_network(const ProbeRequest& request) {
  RealClock clock;
  const Stop stop = Stop().with_deadline(clock, clock.after(request.timeout));
  try {
    if (request.kind == ProbeRequest::Kind::http) return ask_http(clock, request, stop);
    net::Resolver resolver(clock);
    net::connect_tcp(clock, resolver, request.host, request.port, stop);
    return {.success = true};
  } catch (const Stopped&) {
    return {.text = authority(request) + " did not answer within " +
                    std::to_string(std::chrono::duration_cast<std::chrono::seconds>(request.timeout).count()) + "s"};
  } catch (const Error& error) {
    return {.text = error.what()};
  }
}

}  // namespace flyball::cluster::node
