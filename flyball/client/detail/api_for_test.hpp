// A TLS server on loopback that keeps what it was asked, and a folder that goes away: for tests of how we connect.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "flyball/base/mutex.hpp"
#include "flyball/client/config.hpp"
#include "flyball/net/certificate.hpp"
#include "flyball/net/http_server.hpp"

namespace flyball::client::detail {

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "flyball-client-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw Error("no temporary folder can be made");
    path_ = pattern;
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  // Returns the path. Replaced as a whole, as Kubernetes does with mounted secrets.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name + ".new")) << text;
    std::filesystem::rename(path(name + ".new"), path(name));
    return path(name);
  }
  std::string write_script(const std::string& name, const std::string& text) const {
    write(name, "#!/bin/sh\n" + text);
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

// Answers with what `handler` says, by default 200 and nothing.
class TestApi {
 public:
  struct Seen {
    net::Request request;
    net::PeerIdentity identity;
    std::string peer;
  };
  using Handler = std::function<net::Response(const net::Request&)>;

  explicit TestApi(
      Clock& clock, Handler handler = [](const net::Request&) { return net::Response{}; })
      : now_(clock.wall_now()),
        handler_(std::move(handler)),
        ca_(net::CertificateAuthority::make({.common_name = "test ca", .from = now_})),
        pair_(ca_.issue({.common_name = "api", .names = {"localhost", "127.0.0.1"}, .from = now_})),
        server_(clock,
                {.tls = net::TlsServerOptions{.certificate = pair_.certificate, .key = pair_.key, .client_ca = ca()}},
                [this](const net::Request& request, net::ResponseWriter& writer) {
                  {
                    MutexLock lock(mutex_);
                    seen_.push_back({request, writer.identity(), writer.peer()});
                  }
                  writer.send(handler_(request));
                }) {}

  std::string url() const { return "https://127.0.0.1:" + std::to_string(server_.port()); }
  const std::string& ca() const { return ca_.certificate(); }
  net::KeyPair issue(const std::string& name) const {
    return ca_.issue({.common_name = name, .from = now_, .server = false});
  }
  Config config() const { return {.server = net::Url::parse(url()), .tls = {.ca = ca()}, .source = "a test"}; }

  std::vector<Seen> seen() const {
    MutexLock lock(mutex_);
    return seen_;
  }
  // The Authorization of each request so far.
  std::vector<std::string> authorizations() const {
    std::vector<std::string> all;
    for (const Seen& one : seen()) all.emplace_back(one.request.headers.get("Authorization"));
    return all;
  }

 private:
  const WallTime now_;
  const Handler handler_;
  const net::CertificateAuthority ca_;
  const net::KeyPair pair_;

  mutable Mutex mutex_;
  std::vector<Seen> seen_ FLYBALL_GUARDED_BY(mutex_);

  net::HttpServer server_;  // last: its threads use all of the above
};

// What the call throws, as text; "none" when it throws nothing.
template <class Exception = Error, class Call>
std::string error_of(Call call) {
  try {
    (void)call();
  } catch (const Exception& error) {
    return error.what();
  }
  return "none";
}

}  // namespace flyball::client::detail
