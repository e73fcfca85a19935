#include "flyball/apiserver/http_front.hpp"

#include <utility>

#include "flyball/apiserver/pod_requests.hpp"
#include "flyball/apiserver/refusal.hpp"
#include "flyball/apiserver/render.hpp"

namespace flyball::apiserver {
namespace {

// The engine's own limit is lower, and it says so in a Status; this one cuts off what is beyond all reason.
constexpr std::size_t kLargestBody = std::size_t{4} << 20U;
constexpr int kTryAgain = 1;  // seconds

net::HttpServerOptions with_limits(net::HttpServerOptions options) {
  options.limits.body_bytes = kLargestBody;
  return options;
}

// Counts one down when it goes.
class Leave {
 public:
  explicit Leave(std::atomic<std::size_t>& count) : count_(count) {}
  ~Leave() { count_.fetch_sub(1); }
  Leave(const Leave&) = delete;
  Leave& operator=(const Leave&) = delete;

 private:
  std::atomic<std::size_t>& count_;
};

}  // namespace

HttpFront::HttpFront(Clock& clock, Engine& engine, net::HttpServerOptions options)
    : clock_(clock),
      engine_(engine),
      most_watches_(options.connections - options.connections / 10),
      server_(clock, with_limits(std::move(options)),
              [this](const net::Request& request, net::ResponseWriter& writer) { answer(request, writer); }) {}

void HttpFront::answer(const net::Request& request, net::ResponseWriter& writer) {
  net::PeerIdentity caller;
  try {
    caller = engine_.identify(request, writer.identity());
  } catch (const Refusal& refusal) {
    return writer.send(render_refusal({}, refusal));
  }
  // Answered at once: nothing in there waits, and nobody has to look whether the client is still there.
  const bool in_pod = is_pod_request(request);
  if (!in_pod && !Engine::is_stream(request)) return writer.send(engine_.handle(request, caller, {}));
  if (watches_.fetch_add(1) < most_watches_) {
    const Leave leave(watches_);
    return in_pod ? serve_pod_request(clock_, engine_, request, caller, writer) : stream(request, caller, writer);
  }
  watches_.fetch_sub(1);
  writer.send(render_refusal(
      {}, refuse::too_many_requests("too many watches are open: this server takes " + std::to_string(most_watches_) +
                                        " at once; end some, or give it more open files (ulimit -n) and start it anew",
                                    kTryAgain)));
}

void HttpFront::stream(const net::Request& request, const net::PeerIdentity& caller, net::ResponseWriter& writer) {
  const Stop stop = writer.stop();
  const auto stream = engine_.open(request, caller, stop);
  writer.begin(stream->head());
  try {
    for (std::string piece; !(piece = stream->read(stop)).empty();) writer.write(piece);
  } catch (const Stopped&) {
    return;  // the client has gone, or the server ends: the end of the answer says it
  }
}

}  // namespace flyball::apiserver
