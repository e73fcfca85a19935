// SocketPost: gets a socket from another process, over a Unix socket in a folder that is ours alone. Such sockets are
// no part of a network, so it works between network namespaces too.
//
//   const SocketPost post;
//   tell_the_other(post.path());              // which calls send_socket(path, fd)
//   const int fd = post.receive(stop);
//
// Errors: Error that names the step. Thread-safety: one thread. Lifetime: the folder goes with it.
#pragma once

#include <string>

#include "flyball/base/stop.hpp"

namespace flyball::cluster::node {

class SocketPost {
 public:
  SocketPost();
  ~SocketPost();
  SocketPost(const SocketPost&) = delete;
  SocketPost& operator=(const SocketPost&) = delete;

  const std::string& path() const noexcept { return path_; }
  // What the other sent; the caller closes it. Throws Stopped at the stop.
  int receive(const Stop& stop) const;

 private:
  std::string folder_;
  std::string path_;
  int fd_ = -1;
};

void send_socket(const std::string& path, int fd);

}  // namespace flyball::cluster::node
