#include "flyball/apiserver/http_front.hpp"

#include <utility>

namespace flyball::apiserver {
namespace {

// Many watches are open at once, each on a connection of its own.
constexpr std::size_t kConnections = 20'000;
// The engine's own limit is lower, and it says so in a Status; this one cuts off what is beyond all reason.
constexpr std::size_t kLargestBody = std::size_t{4} << 20U;

net::HttpServerOptions with_limits(net::HttpServerOptions options) {
  options.limits.body_bytes = kLargestBody;
  if (options.connections < kConnections) options.connections = kConnections;
  return options;
}

}  // namespace

HttpFront::HttpFront(Clock& clock, Engine& engine, net::HttpServerOptions options)
    : engine_(engine),
      server_(clock, with_limits(std::move(options)),
              [this](const net::Request& request, net::ResponseWriter& writer) { answer(request, writer); }) {}

void HttpFront::answer(const net::Request& request, net::ResponseWriter& writer) {
  const Stop stop = writer.stop();
  if (!Engine::is_stream(request)) return writer.send(engine_.handle(request, writer.identity(), stop));
  const auto stream = engine_.open(request, writer.identity(), stop);
  writer.begin(stream->head());
  try {
    for (std::string piece; !(piece = stream->read(stop)).empty();) writer.write(piece);
  } catch (const Stopped&) {
    return;  // the client has gone, or the server ends: the end of the answer says it
  }
}

}  // namespace flyball::apiserver
