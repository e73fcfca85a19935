#include "flyball/apiserver/pod_port_pump.hpp"

#include <utility>
#include <vector>

#include <poll.h>
#include <sys/socket.h>

namespace flyball::apiserver {

PortPump::PortPump(Clock& clock, Output output, const Stop& stop)
    : clock_(clock), output_(std::move(output)), over_(stop), wait_(clock), thread_(clock, "ports", [this] {
        run();
      }) {}

PortPump::~PortPump() {
  over_.request_stop("the connection to the client has ended");
  thread_.join();
}

void PortPump::add(std::uint32_t id, net::OwnedDescriptor connection) {
  {
    MutexLock lock(mutex_);
    connections_[id] = std::make_shared<Connection>(Connection{.descriptor = std::move(connection)});
  }
  wait_.wake();
}

PortPump::Pointer PortPump::find(std::uint32_t id) {
  MutexLock lock(mutex_);
  const auto found = connections_.find(id);
  return found == connections_.end() ? nullptr : found->second;
}

void PortPump::write(std::uint32_t id, std::string_view bytes, const Stop& stop) {
  if (const Pointer connection = find(id)) net::write_all(clock_, connection->descriptor.get(), bytes, stop);
}

void PortPump::end_input(std::uint32_t id) {
  const Pointer connection = find(id);
  if (connection == nullptr) return;
  ::shutdown(connection->descriptor.get(), SHUT_WR);
  note_end(id, &Connection::heard_all);
}

void PortPump::note_end(std::uint32_t id, bool Connection::* half) {
  MutexLock lock(mutex_);
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  Connection& connection = *found->second;
  connection.*half = true;
  if (connection.said_all && connection.heard_all) connections_.erase(found);
}

void PortPump::remove(std::uint32_t id) {
  {
    MutexLock lock(mutex_);
    connections_.erase(id);
  }
  wait_.wake();
}

std::size_t PortPump::size() {
  MutexLock lock(mutex_);
  return connections_.size();
}

void PortPump::run() {
  const Stop stop = over_.stop();
  try {
    while (true) read_all_ready(stop);
  } catch (const Error&) {
    over_.request_stop("the client takes nothing more");
  }
}

void PortPump::read_all_ready(const Stop& stop) {
  std::vector<std::pair<std::uint32_t, Pointer>> watched;
  {
    MutexLock lock(mutex_);
    for (const auto& [id, connection] : connections_) {
      if (!connection->said_all) watched.emplace_back(id, connection);
    }
  }
  std::vector<pollfd> fds;
  fds.reserve(watched.size() + 2);
  for (const auto& [id, connection] : watched) {
    fds.push_back({.fd = connection->descriptor.get(), .events = POLLIN, .revents = 0});
  }
  wait_.until_ready(fds, stop);
  for (std::size_t i = 0; i < watched.size(); ++i) {
    if (fds[i].revents == 0) continue;
    const auto piece = net::read_some(fds[i].fd);
    if (!piece) continue;
    output_(watched[i].first, *piece, stop);
    if (piece->empty()) note_end(watched[i].first, &Connection::said_all);
  }
}

}  // namespace flyball::apiserver
