// Relay: two connected sockets, and bytes from each to the other until both have said all.
//
//   Relay relay(client, connect_to(endpoint));
//   relay.add_to(polls);                       // what to wait for
//   if (!relay.act(polls)) …                   // it is over
//
// For one thread that polls. Lifetime: owns both sockets.
#pragma once

#include <string>
#include <vector>

struct pollfd;  // NOLINT(readability-identifier-naming): the system's

namespace flyball::cluster::node {

class Relay {
 public:
  Relay(int client, int server) : sides_{{.fd = client}, {.fd = server}} {}
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  void add_to(std::vector<pollfd>& polls);
  // False when there is nothing more to carry.
  bool act(const std::vector<pollfd>& polls);

 private:
  struct Side {
    int fd = -1;
    std::string waiting = {};  // read from here, not yet written there
    bool ended = false;        // it will say nothing more
    bool told = false;         // and the other side knows
    std::size_t at = 0;        // in the polls
  };
  static bool read(Side& from);
  static bool write(Side& from, Side& to);

  Side sides_[2];  // NOLINT(*-avoid-c-arrays): a pair
};

}  // namespace flyball::cluster::node
