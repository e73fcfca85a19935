#include "flyball/apiserver/admission/webhook_call.hpp"

#include <utility>

#include "flyball/apiserver/go_errors.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/go_text.hpp"
#include "flyball/net/url.hpp"

namespace flyball::apiserver {
namespace {

// A webhook has no reason to say more.
constexpr std::uint64_t kLargestAnswer = std::uint64_t{16} << 20U;
constexpr std::size_t kMostClients = 64;
constexpr std::size_t kShownBody = 2048;

std::string port_of_service(const json::Value& service, std::uint16_t port, std::string_view what) {
  for (const json::View each : service["spec"]["ports"].items()) {
    if (each["port"].is_int() && each["port"].as_int() == port) return std::string(each["name"].string_or({}));
  }
  throw Error("no service port " + std::to_string(port) + " found for service " + kube::go::quote(what));
}

// "address:port" of a ready endpoint; empty without one.
std::string ready_endpoint(const Store& store, const WebhookService& service, std::string_view port_name) {
  const Page page = store.list("endpointslices.discovery.k8s.io", {.prefix = service.namespace_ + "/"});
  for (const auto& [key, stored] : page.items) {
    const json::Value slice = json::parse(*stored.bytes);
    if (slice["metadata"]["labels"]["kubernetes.io/service-name"].string_or({}) != service.name) continue;
    for (const json::View port : slice["ports"].items()) {
      if (port["name"].string_or({}) != port_name || !port["port"].is_int()) continue;
      for (const json::View endpoint : slice["endpoints"].items()) {
        const json::View ready = endpoint["conditions"]["ready"];
        if ((ready.is_bool() && !ready.as_bool()) || endpoint["addresses"].empty()) continue;
        return net::host_and_port(endpoint["addresses"][0].string_or({}),
                                  static_cast<std::uint16_t>(port["port"].as_int()));
      }
    }
  }
  return {};
}

std::string without_end_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path.empty() || path.front() != '/' ? "/" + path : path;
}

// What Go's client says of an answer that is none.
std::string refused(const net::Response& response) {
  const std::string_view type = response.headers.get("Content-Type");
  std::string said = "unknown";
  if (type.empty() || type.starts_with("text/")) {
    said = response.body.substr(0, kShownBody);
    const std::size_t begin = said.find_first_not_of(" \t\r\n");
    said = begin == std::string::npos ? "" : said.substr(begin, said.find_last_not_of(" \t\r\n") + 1 - begin);
  }
  switch (response.status) {
    case 400: return "the server rejected our request for an unknown reason";
    case 401: return "the server has asked for the client to provide credentials";
    case 403: return said;
    case 404: return "the server could not find the requested resource";
    case 405: return "the server does not allow this method on the requested resource";
    case 406: return "the server was unable to respond with a content type that the client supports";
    case 409: return "the server reported a conflict";
    case 415: return "the server was unable to process the request: the media type is not supported";
    case 422: return "the server rejected our request due to an error in our request";
    case 429: return "the server has received too many requests and has asked us to try again later";
    case 503: return "the server is currently unable to handle the request";
    case 504:
      return "the server was unable to return a response in the time allotted, but may still be processing the request";
    default: break;
  }
  if (response.status >= 500) {
    return "an error on the server (" + kube::go::quote(said) + ") has prevented the request from succeeding";
  }
  return "the server responded with the status code " + std::to_string(response.status) +
         " but did not return more information";
}

std::string dialled(const net::NetError& error, const std::string& address) {
  std::string what = error.what();
  if (error.kind() == net::NetError::Kind::kConnect && what.find("connection refused") != std::string::npos) {
    return "dial tcp " + address + ": connect: connection refused";
  }
  return what;
}

json::Value parsed(const net::Response& response) {
  if (response.body.empty()) {
    throw Error("0-length response with status code: " + std::to_string(response.status) +
                " and content type: " + std::string(response.headers.get("Content-Type")));
  }
  try {
    return json::parse(response.body);
  } catch (const json::ParseError&) {
    throw Error("couldn't get version/kind; json parse error: " + go_syntax_error(response.body));
  }
}

}  // namespace

std::string WebhookCaller::resolve(const WebhookService& service) const {
  if (options_.resolve) return options_.resolve(service);
  const auto stored = store_.find({"services", service.namespace_ + "/" + service.name});
  if (!stored) throw Error("service " + kube::go::quote(service.name) + " not found");
  const json::Value found = json::parse(*stored->bytes);
  const json::View spec = found["spec"];
  if (spec["type"].string_or({}) == "ExternalName") {
    return net::host_and_port(spec["externalName"].string_or({}), service.port);
  }
  const std::string port = port_of_service(found, service.port, service.name);
  // Not every cluster of tests has something that forwards cluster IPs.
  if (std::string endpoint = ready_endpoint(store_, service, port); !endpoint.empty()) return endpoint;
  const std::string_view ip = spec["clusterIP"].string_or({});
  if (ip.empty() || ip == "None") throw Error("no endpoints available for service " + kube::go::quote(service.name));
  return net::host_and_port(ip, service.port);
}

net::Response WebhookCaller::send(const WebhookCall& call, const Stop& stop) {
  if (options_.send) return options_.send(call, stop);
  std::shared_ptr<net::HttpClient> client;
  {
    const MutexLock lock(mutex_);
    if (clients_.size() >= kMostClients) clients_.clear();
    auto& kept = clients_[{call.ca, call.server_name}];
    if (kept == nullptr) {
      net::HttpClientOptions options{.tls = {.ca = call.ca, .server_name = call.server_name}};
      options.limits.body_bytes = kLargestAnswer;
      kept = std::make_shared<net::HttpClient>(clock_, std::move(options));
    }
    client = kept;
  }
  net::Url url = net::Url::parse(call.url);
  net::Request request{.method = "POST", .body = call.body};
  request.headers.set("Accept", "application/json, */*");
  request.headers.set("Content-Type", "application/json");
  request.headers.set("User-Agent", "kube-apiserver-admission");
  if (!call.address.empty()) {
    request.headers.set("Host", url.host_header());
    const net::Url to = net::Url::parse("https://" + call.address);
    url.host = to.host;
    url.port = to.effective_port();
  }
  return client->send(url, std::move(request), stop);
}

json::Value WebhookCaller::post(const WebhookPlace& place, std::chrono::seconds timeout, const json::Value& body,
                                const Stop& stop) {
  WebhookCall call{.ca = place.ca, .body = json::write(body)};
  const std::string query = "?timeout=" + std::to_string(timeout.count()) + "s";
  std::string dialed;
  if (place.service) {
    call.server_name = place.service->name + "." + place.service->namespace_ + ".svc";
    call.url = "https://" + call.server_name + ":" + std::to_string(place.service->port) +
               without_end_slash(place.path) + query;
  } else {
    const net::Url url = net::Url::parse(place.url);
    // As it was written: without a port, if it names none.
    call.url = "https://" + url.host_header() + without_end_slash(url.path) + query;
    if (const std::size_t named = place.url.find(":443"); url.port == 443 && named != std::string::npos) {
      call.url = "https://" + url.host_header() + ":443" + without_end_slash(url.path) + query;
    }
    dialed = net::host_and_port(url.host, url.effective_port());
  }
  const Stop until = stop.with_deadline(clock_, clock_.after(timeout));
  const std::string posted = "Post " + kube::go::quote(call.url) + ": ";
  net::Response response;
  try {
    if (place.service) dialed = call.address = resolve(*place.service);
    response = send(call, until);
  } catch (const Stopped&) {
    stop.throw_if_stopped();
    throw Error(posted + "context deadline exceeded");
  } catch (const net::NetError& error) {
    throw Error(posted + dialled(error, dialed));
  } catch (const Error& error) {
    throw Error(posted + error.what());
  }
  if (response.status < 200 || response.status > 206) throw Error(refused(response));
  return parsed(response);
}

}  // namespace flyball::apiserver
