#include "flyball/client/port_forward.hpp"

#include <list>
#include <utility>
#include <vector>

#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/detail/pod_request.hpp"
#include "flyball/net/socket.hpp"
#include "flyball/net/websocket.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;

// The first byte of each message: of the first and only port that was asked for.
constexpr char kData = 0;
constexpr char kError = 1;
constexpr std::size_t kPieceBytes = 32 * 1024;
constexpr std::size_t kPortBytes = 2;

}  // namespace

std::unique_ptr<PodConnection> open_pod_port(const Client& client, const ObjectKey& pod, std::uint16_t port) {
  net::Query query;
  query.add("ports", std::to_string(port));
  auto socket =
      detail::open_pod_socket(client, detail::pod_target(client, pod, "portforward", query), {"v4.channel.k8s.io"});
  return std::make_unique<PodConnection>(client, std::move(socket),
                                         "port " + std::to_string(port) + " of " + pod.to_string());
}

PodConnection::PodConnection(Client client, std::unique_ptr<net::WebSocket> socket, std::string about)
    : client_(std::move(client)), socket_(std::move(socket)), about_(std::move(about)) {}

PodConnection::~PodConnection() = default;

std::string PodConnection::read() {
  while (auto message = socket_->read(client_.stop())) {
    if (message->data.empty()) continue;
    const char channel = message->data.front();
    if (channel != kData && channel != kError) continue;
    bool& begun = channel == kData ? data_begun_ : error_begun_;
    message->data.erase(0, 1);
    if (!begun) {
      if (message->data.size() < kPortBytes) throw net::ProtocolError(about_ + ": the node did not name the port");
      message->data.erase(0, kPortBytes);
      begun = true;
    }
    if (message->data.empty()) continue;
    if (channel == kError) throw net::NetError(net::NetError::Kind::kConnect, about_ + ": " + message->data);
    return std::move(message->data);
  }
  return {};
}

void PodConnection::write(std::string_view bytes) {
  while (!bytes.empty()) {
    std::string message(1, kData);
    message += bytes.substr(0, kPieceBytes);
    socket_->write_binary(message, client_.stop());
    bytes.remove_prefix(message.size() - 1);
  }
}

void PodConnection::close() { socket_->close(client_.stop()); }

namespace detail {

class PortForwardState {
 public:
  PortForwardState(const Client& client, ObjectKey pod, std::uint16_t pod_port, const PortForwardOptions& options)
      : stop_(client.stop()),
        client_(client.with(stop_.stop())),
        clock_(client.engine()->clock()),
        pod_(std::move(pod)),
        pod_port_(pod_port),
        limit_(options.connections),
        listener_(clock_, options.address, options.local_port),
        changed_(clock_),
        acceptor_(clock_, "port-forward", [this] { accept_all(); }) {}

  ~PortForwardState() {
    stop_.request_stop("the port-forward has ended");
    acceptor_.join();
    std::list<Worker> workers;
    {
      MutexLock lock(mutex_);
      workers.swap(workers_);
    }
    for (Worker& worker : workers) worker.thread->join();
  }

  std::uint16_t port() const noexcept { return listener_.port(); }

 private:
  struct StopAtEnd {
    StopSource& source;
    ~StopAtEnd() { source.request_stop("the connection to the pod has ended"); }
  };
  struct Worker {
    std::unique_ptr<Thread> thread = {};
    bool finished = false;
  };

  void accept_all() {
    const Stop stop = stop_.stop();
    while (!stop.stopped()) {
      try {
        while (wait_for_room(stop)) start(listener_.accept(stop));
      } catch (const Stopped&) {  // NOLINT(bugprone-empty-catch): it was told to
      } catch (const Error& error) {
        client_.options().log.error("cannot accept connections to forward; trying again", "error", error.what());
        pause_until(clock_, clock_.after(100ms), stop);
      }
    }
  }

  bool wait_for_room(const Stop& stop) {
    std::list<Worker> finished;  // joined here, outside the lock
    MutexLock lock(mutex_);
    const bool room = changed_.wait(mutex_, stop, [&]() FLYBALL_REQUIRES(mutex_) { return running_ < limit_; });
    for (auto worker = workers_.begin(); worker != workers_.end();) {
      const auto next = std::next(worker);
      if (worker->finished) finished.splice(finished.end(), workers_, worker);
      worker = next;
    }
    lock.unlock();
    return room;
  }

  void start(std::unique_ptr<net::Stream> stream) {
    MutexLock lock(mutex_);
    ++running_;
    Worker& worker = workers_.emplace_back();
    // std::function wants what it holds to be copyable.
    auto local = std::make_shared<std::unique_ptr<net::Stream>>(std::move(stream));
    worker.thread = std::make_unique<Thread>(clock_, "port-forward", [this, &worker, local] {
      forward(std::move(*local));
      MutexLock done(mutex_);
      worker.finished = true;
      --running_;
      changed_.notify_all();
    });
  }

  // This thread carries what comes from the pod, another what goes to it. Whoever is first at an end wakes the other.
  void forward(std::unique_ptr<net::Stream> local) {
    try {
      StopSource both(stop_.stop());
      const auto remote = open_pod_port(client_.with(both.stop()), pod_, pod_port_);
      Thread upwards(clock_, "port-forward up", [&] { carry_up(*local, *remote, both); });
      const StopAtEnd wake_other{both};
      carry_down(*remote, *local, both);
    } catch (const Stopped&) {  // NOLINT(bugprone-empty-catch): the one who asked for it knows
    } catch (const Error& error) {
      client_.options().log.warn("a connection could not be forwarded", "pod", pod_.to_string(), "port",
                                 static_cast<int>(pod_port_), "error", error.what());
    }
    local->close();
  }

  static void carry_up(net::Stream& local, PodConnection& remote, StopSource& both) {
    try {
      std::vector<char> buffer(kPieceBytes);
      while (const std::size_t n = local.read(buffer, both.stop())) remote.write({buffer.data(), n});
      remote.close();
    } catch (const Error&) {
      both.request_stop("the local connection broke");
    }
  }

  static void carry_down(PodConnection& remote, net::Stream& local, const StopSource& both) {
    for (std::string piece; !(piece = remote.read()).empty();) local.write(piece, both.stop());
  }

  // Constant after construction.
  StopSource stop_;
  const Client client_;
  Clock& clock_;
  const ObjectKey pod_;
  const std::uint16_t pod_port_;
  const std::size_t limit_;
  net::Listener listener_;

  Mutex mutex_;
  Condition changed_;
  std::size_t running_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::list<Worker> workers_ FLYBALL_GUARDED_BY(mutex_);

  Thread acceptor_;  // last: it uses all of the above
};

}  // namespace detail

PortForward::PortForward(const Client& client, ObjectKey pod, std::uint16_t pod_port, const PortForwardOptions& options)
    : state_(std::make_unique<detail::PortForwardState>(client, std::move(pod), pod_port, options)) {}

PortForward::~PortForward() = default;

std::uint16_t PortForward::port() const noexcept { return state_->port(); }

}  // namespace flyball::client
