// What a request over the loopback costs, and how fast a large answer comes through: plain and TLS. Client and server
// share the machine, so both ends are in every figure.
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "flyball/net/certificate.hpp"
#include "flyball/net/http_client.hpp"
#include "flyball/net/http_server.hpp"

namespace {

using namespace flyball;
using namespace flyball::net;

constexpr std::size_t kPiece = 64 * 1024;
constexpr std::size_t kLarge = 100'000'000;

void handle(const Request& request, ResponseWriter& writer) {
  if (request.target != "/large") return writer.send({.body = std::string(1000, 'x')});
  const std::string piece(kPiece, 'x');
  writer.begin({});
  for (std::size_t sent = 0; sent < kLarge; sent += piece.size()) writer.write(piece);
}

// A server and a client that trust each other.
struct World {
  explicit World(bool secure) {
    const auto ca = CertificateAuthority::make({.common_name = "bench", .from = clock.wall_now()});
    const KeyPair pair = ca.issue({.common_name = "server", .names = {"127.0.0.1"}, .from = clock.wall_now()});
    HttpServerOptions options;
    if (secure) options.tls = TlsServerOptions{.certificate = pair.certificate, .key = pair.key};
    server = std::make_unique<HttpServer>(clock, std::move(options), handle);
    http = std::make_unique<HttpClient>(clock, HttpClientOptions{.tls = {.ca = ca.certificate()}});
  }

  RealClock clock;
  std::unique_ptr<HttpServer> server;
  std::unique_ptr<HttpClient> http;
};

void get_kept(benchmark::State& state, bool secure) {
  World world(secure);
  const Url url = Url::parse(world.server->url() + "/small");
  for (auto _ : state) benchmark::DoNotOptimize(world.http->send(url, {}, {}));
  state.SetItemsProcessed(state.iterations());
}

void get_anew(benchmark::State& state, bool secure) {
  World world(secure);
  const Url url = Url::parse(world.server->url() + "/small");
  for (auto _ : state) {
    benchmark::DoNotOptimize(world.http->send(url, {}, {}));
    world.http->close_kept();
  }
  state.SetItemsProcessed(state.iterations());
}

void stream_large(benchmark::State& state, bool secure) {
  World world(secure);
  const Url url = Url::parse(world.server->url() + "/large");
  std::int64_t bytes = 0;
  for (auto _ : state) {
    const auto stream = world.http->open(url, {}, {});
    for (std::string piece; !(piece = stream->read({})).empty();) bytes += static_cast<std::int64_t>(piece.size());
  }
  state.SetBytesProcessed(bytes);
}

BENCHMARK_CAPTURE(get_kept, plain, false)->UseRealTime();
BENCHMARK_CAPTURE(get_kept, tls, true)->UseRealTime();
BENCHMARK_CAPTURE(get_anew, plain, false)->UseRealTime();
BENCHMARK_CAPTURE(get_anew, tls, true)->UseRealTime();
BENCHMARK_CAPTURE(stream_large, plain, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stream_large, tls, true)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
