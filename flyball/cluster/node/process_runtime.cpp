#include "flyball/cluster/node/process_runtime.hpp"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flyball/cluster/node/process_pod.hpp"
#include "flyball/cluster/node/sandbox_protocol.hpp"

namespace flyball::cluster::node {
namespace {

constexpr std::chrono::seconds kConnectPatience{10};

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw Error("cannot write " + path + "; the disk may be full");
}

// Empty, or what went wrong; in Go's words, which people know.
std::string try_to_connect(Clock& clock, int socket, const sockaddr* address, socklen_t size, const Stop& stop) {
  if (::connect(socket, address, size) == 0) return "";
  if (errno == EINPROGRESS) {
    net::DescriptorWait wait(clock);
    std::vector<pollfd> fds{{.fd = socket, .events = POLLOUT, .revents = 0}};
    const TimePoint deadline = clock.after(kConnectPatience);
    wait.until_ready(fds, stop, deadline);
    if (fds.front().revents == 0) return "i/o timeout";
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length);
    errno = error;
    if (error == 0) return "";
  }
  return "connect: " + (errno == ECONNREFUSED ? "connection refused" : std::generic_category().message(errno));
}

std::string try_ipv4(Clock& clock, int socket, std::uint32_t host, std::uint16_t port, const Stop& stop) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(host);
  return try_to_connect(clock, socket, reinterpret_cast<const sockaddr*>(&address), sizeof address, stop);
}

std::string try_ipv6_loopback(Clock& clock, int socket, std::uint16_t port, const Stop& stop) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  address.sin6_addr = in6addr_loopback;
  return try_to_connect(clock, socket, reinterpret_cast<const sockaddr*>(&address), sizeof address, stop);
}

}  // namespace

ProcessRuntime::ProcessRuntime(Clock& clock, ProcessRuntimeOptions options)
    : clock_(clock),
      options_(std::move(options)),
      addresses_(options_.network != nullptr ? options_.network->options().range : "127.77.0.0",
                 options_.network != nullptr ? options_.network->options().prefix : 16) {
  std::filesystem::create_directories(options_.folder + "/scratch");
}

ProcessRuntime::~ProcessRuntime() {
  MutexLock lock(mutex_);
  for (const auto& [uid, pod] : pods_) pod->end();
}

void ProcessRuntime::listen(Listener listener) {
  MutexLock lock(mutex_);
  listener_ = std::move(listener);
}

Sandbox ProcessRuntime::make_sandbox(const SandboxRequest& request) {
  if (const auto pod = find(request.uid)) return {.ip = address_text(pod->address())};
  std::uint32_t address = 0;
  Listener listener;
  SandboxSetup setup{.hostname = request.hostname,
                     .isolated = options_.network != nullptr,
                     .root = ::geteuid() == 0,
                     .scratch = options_.folder + "/scratch",
                     .streams = options_.folder};
  {
    MutexLock lock(mutex_);
    address = addresses_.take();
    listener = listener_;
    setup.network.gateway = addresses_.gateway();
  }
  setup.network.address = address_text(address);
  setup.socket = "streams-" + std::to_string(address);
  setup.network.device = "fb" + std::to_string(address & 0xffffffU);
  if (options_.network != nullptr) {
    setup.network.holder = options_.network->holder();
    setup.network.user = options_.network->has_user();
    setup.network.bridge = options_.network->options().bridge;
    setup.network.prefix = options_.network->options().prefix;
  }
  if (options_.network != nullptr) write_names(request, setup.network);
  try {
    const auto pod =
        std::make_shared<ProcessPod>(clock_, options_.program, setup, request.uid, address, std::move(listener));
    MutexLock lock(mutex_);
    pods_[request.uid] = pod;
  } catch (...) {
    MutexLock lock(mutex_);
    addresses_.give_back(address);
    throw;
  }
  return {.ip = setup.network.address};
}

// How names are found inside the pod.
void ProcessRuntime::write_names(const SandboxRequest& request, const PodNetwork& network) const {
  const std::string folder = pod_folder(request.uid);
  std::filesystem::create_directories(folder);
  const std::string domain = ".svc.cluster.local ";
  write_file(folder + "/resolv.conf", "search " + request.namespace_ + domain + domain.substr(1) + "cluster.local\n" +
                                          "nameserver " + network.gateway + "\noptions ndots:5\n");
  write_file(folder + "/hosts",
             "127.0.0.1\tlocalhost\n::1\tlocalhost\n" + network.address + "\t" + request.hostname + "\n");
}

std::string ProcessRuntime::pod_folder(const std::string& uid) const { return options_.folder + "/pods/" + uid; }

std::shared_ptr<ProcessPod> ProcessRuntime::find(const std::string& uid) {
  MutexLock lock(mutex_);
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : found->second;
}

ContainerRun ProcessRuntime::start(const std::string& uid, const ContainerRequest& request) {
  const auto pod = find(uid);
  if (pod == nullptr) throw Error("the pod has no sandbox");
  if (options_.network == nullptr) return pod->start(request);
  ContainerRequest with_names = request;
  for (const char* name : {"resolv.conf", "hosts"}) {
    with_names.mounts.push_back({.source = pod_folder(uid) + "/" + name, .target = std::string("/etc/") + name});
  }
  return pod->start(with_names);
}

void ProcessRuntime::signal(const std::string& uid, const std::string& container, int number) {
  if (const auto pod = find(uid)) pod->signal(container, number);
}

std::vector<ContainerReport> ProcessRuntime::look(const std::string& uid) {
  const auto pod = find(uid);
  return pod == nullptr ? std::vector<ContainerReport>() : pod->look();
}

ProbeAnswer ProcessRuntime::probe(const std::string& uid, const ProbeRequest& request, const Stop& stop) {
  const auto pod = find(uid);
  if (pod == nullptr) return {.text = "the pod has no sandbox"};
  return pod->probe(request, address_text(pod->address()), stop);
}

std::unique_ptr<apiserver::PodProcess> ProcessRuntime::run(const std::string& uid, const CommandRequest& request,
                                                           const Stop& stop) {
  const auto pod = find(uid);
  if (pod == nullptr) throw Error("container not found (\"" + request.container + "\")");
  return request.command.empty() ? pod->attach(request, stop) : pod->exec(request, stop);
}

net::OwnedDescriptor ProcessRuntime::connect(const std::string& uid, std::uint16_t port, const Stop& stop) {
  const auto pod = find(uid);
  if (pod == nullptr) throw Error("the pod has no sandbox");
  net::OwnedDescriptor socket = pod->make_socket(false, stop);
  const std::string number = std::to_string(port);
  // Where all share the machine's network, a pod is where its address is; else it has a loopback of its own.
  const bool own = options_.network != nullptr;
  const std::uint32_t host = own ? INADDR_LOOPBACK : pod->address();
  const std::string first = try_ipv4(clock_, socket.get(), host, port, stop);
  if (first.empty()) return socket;
  socket = pod->make_socket(own, stop);
  const std::string second = own ? try_ipv6_loopback(clock_, socket.get(), port, stop)
                                 : try_ipv4(clock_, socket.get(), INADDR_LOOPBACK, port, stop);
  if (second.empty()) return socket;
  throw Error("failed to connect to localhost:" + number + " inside namespace \"" + uid + "\", IPv4: dial tcp4 " +
              address_text(host) + ":" + number + ": " + first + " " +
              (own ? "IPv6: dial tcp6 [::1]:" : "IPv4: dial tcp4 127.0.0.1:") + number + ": " + second);
}

void ProcessRuntime::remove(const std::string& uid) {
  std::shared_ptr<ProcessPod> pod;
  {
    MutexLock lock(mutex_);
    const auto found = pods_.find(uid);
    if (found == pods_.end()) return;
    pod = std::move(found->second);
    pods_.erase(found);
    addresses_.give_back(pod->address());
  }
  pod->end();
}

}  // namespace flyball::cluster::node
