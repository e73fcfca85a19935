// Server: a whole embedded API server: store, engine and HTTPS, with certificates of its own making.
//
//   RealClock clock;
//   apiserver::Server server(clock);                         // a free port on loopback; everything in memory
//   write(path, server.kubeconfig());                        // kubectl --kubeconfig path get namespaces
//   client::HttpTransport transport(clock, server.config());
//
// With a data directory everything comes back after a restart, also after kill -9. It is a server for development and
// tests (docs/apiserver.md): who has a certificate of its authority may do everything.
//
// Thread-safety: const members may be called from any thread. Lifetime: the clock outlives the server; the destructor
// ends all requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "flyball/apiserver/engine.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/client/config.hpp"

namespace flyball::apiserver {

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;               // 0: a free one
  std::string data_dir = {};            // empty: in memory
  std::vector<std::string> names = {};  // and addresses that clients may call it by, beside the usual ones
  std::uint64_t seed = 0;               // of names and uids; 0: from the operating system
  // At once, each with a thread; nine tenths of them may be watches. 0: 20,000, or what the limit of open files allows.
  std::size_t connections = 0;
  // PEM files to serve with, instead of a certificate of its own making: config() and kubeconfig() do not trust it.
  std::string certificate_file = {};
  std::string key_file = {};
  std::string client_ca = {};  // PEM: clients with certificates of these authorities are known too
  EngineOptions engine = {};
};

class Server {
 public:
  // Listens when it returns. Throws Error that names the port or the file that is in the way.
  explicit Server(Clock& clock, const ServerOptions& options = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Serves those who come to this socket too: one that listens, and does not block. It may be of another network.
  void also_listen(int socket);

  // "https://127.0.0.1:6443"
  std::string url() const;
  std::uint16_t port() const noexcept;
  // Of an administrator, by client certificate.
  client::Config config() const;
  // The same as a file for kubectl.
  std::string kubeconfig() const;

  Engine& engine() noexcept;
  Store& store() noexcept;

  // Accepts nobody any more, and waits for what is under way until the deadline.
  void stop(TimePoint deadline);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace flyball::apiserver
