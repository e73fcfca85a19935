#include "flyball/image/registry.hpp"

#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/image/digest.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::image {
namespace {

constexpr const char* kPull = "pull";
constexpr const char* kPush = "pull,push";
constexpr int kMostRedirects = 5;

bool is_loopback(const std::string& host) {
  return host == "localhost" || host.starts_with("localhost:") || host.starts_with("127.") || host.starts_with("[::1]");
}

// What the registry said of its refusal, in one line.
std::string words_of(const net::Response& response) {
  std::string words = "status " + std::to_string(response.status);
  try {
    const json::Value body = json::parse(response.body);
    for (const json::View one : body["errors"].items()) {
      words += ", " + std::string(one["code"].string_or("")) + ": " + std::string(one["message"].string_or(""));
    }
  } catch (const Error&) {
    // Not every proxy on the way speaks JSON; the status says enough.
    return words;
  }
  return words;
}

[[noreturn]] void refuse(const net::Response& response, const Reference& about, const std::string& what) {
  std::string text = "the registry " + about.host + " refused " + what + ": " + words_of(response);
  if (response.status == 401 || response.status == 403) {
    text += "; log in with `docker login " + about.host + "` or `skopeo login " + about.host + "`";
  }
  throw Error(text);
}

net::Url resolved(const net::Url& base, const std::string& location) {
  if (location.find("://") != std::string::npos) return net::Url::parse(location);
  return net::Url::parse(base.origin() + (location.starts_with('/') ? "" : "/") + location);
}

net::Url with_query(net::Url url, const std::string& name, const std::string& value) {
  if (!url.query.empty()) url.query += '&';
  url.query += name + "=" + net::percent_encode(value);
  return url;
}

net::HttpClientOptions http_options(const RegistryOptions& options) {
  return {.tls = options.tls, .proxy = net::ProxyRules::from_environment()};
}

std::string basic(const Login& login) { return "Basic " + kube::to_base64(login.user + ":" + login.password.reveal()); }

}  // namespace

Registry::Registry(Clock& clock, RegistryOptions options)
    : options_(std::move(options)), http_(clock, http_options(options_)) {}

void Registry::say(const std::string& line) const {
  if (options_.progress) options_.progress(line);
}

net::Url Registry::url(const Reference& about, const std::string& rest) const {
  const bool plain = options_.plain_http || is_loopback(about.host);
  const std::string host = about.host == "docker.io" ? "registry-1.docker.io" : about.host;
  return net::Url::parse((plain ? "http://" : "https://") + host + "/v2/" + about.repository + rest);
}

net::Response Registry::send(const net::Url& url, const Reference& about, const std::string& scope, const Ask& ask,
                             const Stop& stop) {
  const std::string key = about.host + " " + about.repository + " " + scope;
  const std::string registry = this->url(about, "").origin();
  for (bool again = false;; again = true) {
    net::Request request{.method = ask.method, .headers = ask.headers, .body = ask.body};
    const auto known = authorization_.find(key);
    // Uploads may be sent elsewhere; what we are to the registry is no business of others.
    if (known != authorization_.end() && url.origin() == registry) request.headers.set("Authorization", known->second);
    net::Response response = http_.send(url, std::move(request), stop);
    if (response.status != 401 || again) return response;
    const Challenge challenge = parse_challenge(response.headers.get("WWW-Authenticate"));
    if (!log_in(challenge, about, scope, stop)) return response;
  }
}

bool Registry::log_in(const Challenge& challenge, const Reference& about, const std::string& scope, const Stop& stop) {
  const auto login = options_.logins == nullptr ? std::nullopt : options_.logins->find(about.host, stop);
  std::string& authorization = authorization_[about.host + " " + about.repository + " " + scope];
  if (challenge.scheme == "basic" && login && !login->user.empty()) {
    authorization = basic(*login);
    return true;
  }
  if (challenge.scheme != "bearer") return false;
  authorization = "Bearer " + fetch_token(challenge, "repository:" + about.repository + ":" + scope, login, stop);
  return true;
}

std::string Registry::fetch_token(const Challenge& challenge, const std::string& scope,
                                  const std::optional<Login>& login, const Stop& stop) {
  const auto parameter = [&](const char* name) {
    const auto found = challenge.parameters.find(name);
    return found == challenge.parameters.end() ? std::string() : found->second;
  };
  net::Url url = net::Url::parse(parameter("realm"));
  // A login goes only where nobody else can read it, or to the own machine.
  if (login && url.scheme != "https" && !is_loopback(url.host_header()) && !options_.plain_http) {
    throw Error("the registry wants its password sent to " + url.text() + ", without TLS; --plain-http allows it");
  }
  net::Request request;
  if (login && !login->identity_token.empty()) {
    net::Query form;
    form.add("grant_type", "refresh_token").add("service", parameter("service")).add("scope", scope);
    form.add("client_id", "flyball").add("refresh_token", login->identity_token.reveal());
    request = {
        .method = "POST", .headers = {{"Content-Type", "application/x-www-form-urlencoded"}}, .body = form.text()};
  } else {
    if (!parameter("service").empty()) url = with_query(url, "service", parameter("service"));
    url = with_query(url, "scope", scope);
    if (login) request.headers.set("Authorization", basic(*login));
  }
  const net::Response response = http_.send(url, std::move(request), stop);
  if (response.status != 200) throw Error(url.origin() + " gives no token: " + words_of(response));
  const json::Value answer = json::parse(response.body);
  const std::string_view token = answer["token"].string_or(answer["access_token"].string_or(""));
  if (token.empty()) throw Error(url.origin() + " answered without a token");
  return std::string(token);
}

void Registry::push_blob(const std::string& bytes, const std::string& digest, const Reference& to, const Stop& stop) {
  const std::string what = digest + " (" + std::to_string(bytes.size()) + " bytes)";
  if (send(url(to, "/blobs/" + digest), to, kPush, {.method = "HEAD"}, stop).status == 200) {
    return say("  there already  " + what);
  }
  const net::Url start = url(to, "/blobs/uploads/");
  net::Response response = send(start, to, kPush, {.method = "POST"}, stop);
  if (response.status != 202) refuse(response, to, "an upload to " + to.repository);
  net::Url place = resolved(start, std::string(response.headers.get("Location")));
  std::size_t sent = 0;
  while (bytes.size() - sent > options_.piece) {
    const std::string range = std::to_string(sent) + "-" + std::to_string(sent + options_.piece - 1);
    response = send(place, to, kPush,
                    {.method = "PATCH",
                     .headers = {{"Content-Type", "application/octet-stream"}, {"Content-Range", range}},
                     .body = bytes.substr(sent, options_.piece)},
                    stop);
    if (response.status != 202) refuse(response, to, "a piece of " + what);
    place = resolved(place, std::string(response.headers.get("Location")));
    sent += options_.piece;
  }
  net::Headers headers{{"Content-Type", "application/octet-stream"}};
  if (sent > 0) headers.set("Content-Range", std::to_string(sent) + "-" + std::to_string(bytes.size() - 1));
  response = send(with_query(place, "digest", digest), to, kPush,
                  {.method = "PUT", .headers = std::move(headers), .body = bytes.substr(sent)}, stop);
  if (response.status != 201 && response.status != 204) refuse(response, to, what);
  say("  pushed         " + what);
}

std::string Registry::push(const Image& image, const Reference& to, const Stop& stop) {
  for (std::size_t i = 0; i < image.layers.size(); ++i) {
    push_blob(image.layers[i], image.manifest.layers[i].digest, to, stop);
  }
  push_blob(image.config_text, image.manifest.config.digest, to, stop);
  const std::string type = image.manifest.mediaType.empty() ? kManifestType : image.manifest.mediaType;
  const std::string version = to.tag.empty() ? image.digest() : to.tag;
  const net::Response response =
      send(url(to, "/manifests/" + version), to, kPush,
           {.method = "PUT", .headers = {{"Content-Type", type}}, .body = image.manifest_text}, stop);
  if (response.status != 201 && response.status != 200) refuse(response, to, "the manifest of " + to.text());
  return image.digest();
}

net::Response Registry::follow(net::Url at, net::Response response, const Stop& stop) {
  for (int i = 0; i < kMostRedirects && response.status >= 300 && response.status < 400; ++i) {
    at = resolved(at, std::string(response.headers.get("Location")));
    response = http_.send(at, {.headers = {{"Accept-Encoding", "identity"}}}, stop);
  }
  return response;
}

std::string Registry::pull_blob(const Descriptor& blob, const Reference& from, const Stop& stop) {
  const net::Url at = url(from, "/blobs/" + blob.digest);
  hex_of(blob.digest);
  // The bytes as they are: what is packed stays packed.
  const Ask ask{.headers = {{"Accept-Encoding", "identity"}}};
  net::Response response = follow(at, send(at, from, kPull, ask, stop), stop);
  if (response.status != 200) refuse(response, from, "the blob " + blob.digest);
  check_digest(response.body, blob.digest, "a blob from " + from.host);
  say("  pulled         " + blob.digest + " (" + std::to_string(response.body.size()) + " bytes)");
  return std::move(response.body);
}

std::string Registry::pull_manifest(const Reference& from, const std::string& version, std::string& type,
                                    const Stop& stop) {
  Ask ask;
  for (const char* known : {kManifestType, kIndexType, kDockerManifestType, kDockerListType}) {
    ask.headers.add("Accept", known);
  }
  const net::Response response = send(url(from, "/manifests/" + version), from, kPull, ask, stop);
  if (response.status == 404) throw Error("the registry " + from.host + " has no image " + from.text());
  if (response.status != 200) refuse(response, from, "the manifest of " + from.text());
  if (version.starts_with("sha256:")) check_digest(response.body, version, "the manifest of " + from.text());
  type = response.headers.get("Content-Type");
  type = type.substr(0, type.find(';'));
  return response.body;
}

Image Registry::pull(const Reference& from, const Stop& stop) {
  std::string type;
  std::string text = pull_manifest(from, from.version(), type, stop);
  if (type == kIndexType || type == kDockerListType) {
    const auto index = reflect::decode<Index>(text);
    text = pull_manifest(from, choose(index, from.text()).digest, type, stop);
  }
  Image image{.manifest = reflect::decode<Manifest>(text), .manifest_text = text};
  if (image.manifest.mediaType.empty()) image.manifest.mediaType = type;
  image.config_text = pull_blob(image.manifest.config, from, stop);
  image.config = reflect::decode<ImageConfig>(image.config_text);
  for (const Descriptor& layer : image.manifest.layers) image.layers.push_back(pull_blob(layer, from, stop));
  return image;
}

}  // namespace flyball::image
