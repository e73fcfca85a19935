// ServiceProxy: answers at the addresses of Services, and carries every connection to one of the pods behind it. And
// the cluster's DNS.
//
//   ServiceProxy proxy("flyball0", "10.244.0.1");
//   proxy.set(table);
//   proxy.step(input);                     // waits for one thing, and does it
//
// In the process that holds the cluster's network: one thread, one loop. A new table ends no connection.
//
// Errors: Error when the network cannot be changed.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <string>

#include "flyball/cluster/node/relay.hpp"
#include "flyball/cluster/node/rtnetlink.hpp"
#include "flyball/cluster/node/service_table.hpp"

namespace flyball::cluster::node {

class ServiceProxy {
 public:
  // On a device of the network, where the node has this address.
  ServiceProxy(std::string device, const std::string& address);
  ~ServiceProxy();
  ServiceProxy(const ServiceProxy&) = delete;
  ServiceProxy& operator=(const ServiceProxy&) = delete;

  void set(ServiceTable table);
  // True when there is something to read from the input.
  bool step(int input);

 private:
  void accept(int listener, const Endpoint& at);
  void answer_dns();

  const std::string device_;
  RtNetlink net_;
  int dns_ = -1;
  ServiceTable table_;
  std::set<std::string> addresses_;
  std::map<Endpoint, int> listeners_;
  std::list<Relay> relays_;
  std::size_t turn_ = 0;
};

// A socket that listens there and does not block.
int listen_at(const Endpoint& at);

}  // namespace flyball::cluster::node
