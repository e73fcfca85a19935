#include "flyball/client/http_transport.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include <sys/utsname.h>

#include "flyball/client/detail/source.hpp"

namespace flyball::client {
namespace {

// Holds the client it came from, which a new certificate may have replaced meanwhile.
class HttpBodyStream final : public BodyStream {
 public:
  HttpBodyStream(std::shared_ptr<net::HttpClient> client, std::unique_ptr<net::ResponseStream> stream,
                 const std::string& source)
      : client_(std::move(client)), stream_(std::move(stream)), source_(source) {}

  const net::Response& head() const noexcept override { return stream_->head(); }
  std::string read(const Stop& stop) override {
    return detail::with_source(source_, [&] { return stream_->read(stop); });
  }

 private:
  const std::shared_ptr<net::HttpClient> client_;
  const std::unique_ptr<net::ResponseStream> stream_;
  const std::string& source_;
};

// The target below the path that the server's URL has.
net::Url url_below(const net::Url& server, std::string_view target) {
  net::Url url = server;
  while (url.path.ends_with('/')) url.path.pop_back();
  const std::size_t question = target.find('?');
  url.path += target.substr(0, question);
  url.query = question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
  return url;
}

void impersonate(const Impersonation& who, net::Headers& headers) {
  // A key becomes part of a header's name: what cannot stand there is escaped, and the escape character with it.
  constexpr std::string_view kInHeaderNames = "!#$&'*+^`|";
  if (who.user.empty() || headers.contains("Impersonate-User")) return;
  headers.set("Impersonate-User", who.user);
  if (!who.uid.empty()) headers.set("Impersonate-Uid", who.uid);
  for (const std::string& group : who.groups) headers.add("Impersonate-Group", group);
  for (const auto& [key, values] : who.extra) {
    for (const std::string& value : values) {
      headers.add("Impersonate-Extra-" + net::percent_encode(key, kInHeaderNames), value);
    }
  }
}

Config checked(Config config) {
  const Impersonation& who = config.impersonate;
  if (who.user.empty() && !(who.uid.empty() && who.groups.empty() && who.extra.empty())) {
    throw InputError({}, "impersonate",
                     "a uid, groups or extra values without a user; the API server wants the user's name with them" +
                         detail::from_source(config.source));
  }
  return config;
}

}  // namespace

std::string default_user_agent() {
  std::error_code none;
  std::string program = std::filesystem::read_symlink("/proc/self/exe", none).filename().string();
  for (char& c : program) {
    if (!net::is_token({&c, 1})) c = '_';
  }
  utsname machine{};
  std::string arch = ::uname(&machine) == 0 ? machine.machine : "unknown";
  if (arch == "x86_64") arch = "amd64";  // as Go, and so everybody in Kubernetes, calls them
  if (arch == "aarch64") arch = "arm64";
  return (program.empty() ? "unknown" : program) + "/unknown (linux/" + arch + ") flyball/" + std::string(kVersion);
}

HttpTransport::HttpTransport(Clock& clock, Config config, HttpTransportOptions options)
    : clock_(clock),
      config_(checked(std::move(config))),
      options_(std::move(options)),
      user_agent_(config_.user_agent.empty() ? default_user_agent() : config_.user_agent),
      client_(make_client(std::nullopt)) {}

std::shared_ptr<net::HttpClient> HttpTransport::make_client(const std::optional<ClientCertificate>& certificate) const {
  net::TlsClientOptions tls = config_.tls;
  tls.log = options_.log;
  if (certificate) {
    tls.certificate = certificate->certificate;
    tls.key = certificate->key;
    tls.certificate_file.clear();
    tls.key_file.clear();
  }
  return detail::with_source(config_.source, [&] {
    return std::make_shared<net::HttpClient>(clock_,
                                             net::HttpClientOptions{.tls = std::move(tls),
                                                                    .proxy = config_.proxy,
                                                                    .connect_timeout = options_.connect_timeout,
                                                                    .idle_timeout = options_.idle_timeout,
                                                                    .kept_per_origin = options_.kept_connections,
                                                                    .log = options_.log,
                                                                    .metrics = options_.metrics});
  });
}

std::shared_ptr<net::HttpClient> HttpTransport::client_for_now(const Stop& stop) {
  std::optional<ClientCertificate> certificate;
  if (config_.credentials) {
    certificate = detail::with_source(config_.source, [&] { return config_.credentials->certificate(stop); });
  }
  MutexLock lock(mutex_);
  if (certificate != certificate_) {
    client_ = make_client(certificate);
    certificate_ = std::move(certificate);
    options_.log.info("the credentials brought another client certificate; connecting anew");
  }
  return client_;
}

void HttpTransport::dress(net::Headers& headers, const Stop& stop) const {
  if (!headers.contains("User-Agent")) headers.set("User-Agent", user_agent_);
  if (!config_.compression && !headers.contains("Accept-Encoding")) headers.set("Accept-Encoding", "identity");
  impersonate(config_.impersonate, headers);
  if (config_.credentials && !headers.contains("Authorization")) {
    detail::with_source(config_.source, [&] { config_.credentials->authorize(headers, stop); });
  }
}

template <class Attempt>
void HttpTransport::with_credentials(const net::Request& request, const Stop& stop, const Attempt& attempt) {
  for (const bool last : {false, true}) {
    const std::shared_ptr<net::HttpClient> client = client_for_now(stop);
    net::Request dressed = request;
    dress(dressed.headers, stop);
    net::Headers sent = dressed.headers;
    const int status = detail::with_source(config_.source, [&] { return attempt(client, std::move(dressed)); });
    if (status != 401 || last || !config_.credentials || !config_.credentials->rejected(sent)) return;
    options_.log.debug("the server does not accept the credentials (401); trying again with others", "request",
                       request.method + " " + request.target);
  }
}

net::Response HttpTransport::send(net::Request request, const Stop& stop) {
  const net::Url url = url_below(config_.server, request.target);
  net::Response answer;
  with_credentials(request, stop, [&](const std::shared_ptr<net::HttpClient>& client, net::Request dressed) {
    answer = client->send(url, std::move(dressed), stop);
    return answer.status;
  });
  return answer;
}

std::unique_ptr<BodyStream> HttpTransport::open(net::Request request, const Stop& stop, const OpenOptions& options) {
  const net::Url url = url_below(config_.server, request.target);
  std::unique_ptr<BodyStream> body;
  with_credentials(request, stop, [&](const std::shared_ptr<net::HttpClient>& client, net::Request dressed) {
    auto stream = client->open(url, std::move(dressed), stop, {.idle_timeout = options.idle_timeout});
    body = std::make_unique<HttpBodyStream>(client, std::move(stream), config_.source);
    return body->head().status;
  });
  return body;
}

net::Upgraded HttpTransport::upgrade(net::Request request, const Stop& stop) {
  const net::Url url = url_below(config_.server, request.target);
  net::Upgraded upgraded;
  with_credentials(request, stop, [&](const std::shared_ptr<net::HttpClient>& client, net::Request dressed) {
    upgraded = client->upgrade(url, std::move(dressed), stop);
    return upgraded.head.status;
  });
  return upgraded;
}

}  // namespace flyball::client
