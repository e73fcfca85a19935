// RtNetlink: what `ip` does, without `ip`: devices, addresses and routes of a network namespace.
//
//   RtNetlink net;                                          // of the namespace this thread is in now, for good
//   net.add_bridge("flyball0");
//   net.add_address("flyball0", "10.244.0.1", 24);
//   net.set_up("flyball0");
//   net.add_veth("fb2", "eth0", own_namespace, "flyball0");
//
// Errors: Error that says what could not be done, and why.
//
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <string>

namespace flyball::cluster::node {

class RtNetlink {
 public:
  RtNetlink();
  ~RtNetlink();
  RtNetlink(const RtNetlink&) = delete;
  RtNetlink& operator=(const RtNetlink&) = delete;

  void add_bridge(const std::string& name);
  // A pair of devices: one here, in a bridge, and its peer in the namespace that the descriptor is of.
  void add_veth(const std::string& name, const std::string& peer, int peer_namespace, const std::string& bridge);
  void add_address(const std::string& device, const std::string& address, int prefix);
  void remove_address(const std::string& device, const std::string& address, int prefix);
  void add_default_route(const std::string& gateway);
  void set_up(const std::string& device);

 private:
  class Message;
  void send(Message& message, const std::string& what);
  void change_address(bool add, const std::string& device, const std::string& address, int prefix);
  int index_of(const std::string& device);

  int fd_;
  std::uint32_t sequence_ = 0;
};

}  // namespace flyball::cluster::node
