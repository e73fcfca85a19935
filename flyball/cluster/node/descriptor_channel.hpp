// DescriptorChannel: descriptors from one process to another. What a command reads and prints does not go through the
// sandbox: the node makes the pipes, or the terminal, and hands the sandbox its ends.
//
//   DescriptorListener listener(folder, "one");                  // the node, before it starts the sandbox
//   DescriptorChannel channel = connect_channel(folder, "one");  // the sandbox, which still sees the machine's files
//   DescriptorChannel other = listener.accept();
//
//   other.send({pipe.read.get(), pipe.write.get()});
//   std::vector<net::OwnedDescriptor> ends = channel.receive();
//
// Thread-safety: one may send while another receives. Errors: Error that says what the kernel refused.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "flyball/net/descriptor.hpp"

namespace flyball::cluster::node {

class DescriptorChannel {
 public:
  DescriptorChannel() = default;
  explicit DescriptorChannel(net::OwnedDescriptor socket) : socket_(std::move(socket)) {}

  // One message; at most eight. They stay the caller's.
  void send(const std::vector<int>& descriptors) const;
  // The next message, which has been sent already or is about to be.
  std::vector<net::OwnedDescriptor> receive() const;
  void close() noexcept { socket_.reset(); }

 private:
  net::OwnedDescriptor socket_;
};

class DescriptorListener {
 public:
  // The folder may have any length, the name is short.
  DescriptorListener(const std::string& folder, const std::string& name);
  ~DescriptorListener();
  DescriptorListener(const DescriptorListener&) = delete;
  DescriptorListener& operator=(const DescriptorListener&) = delete;

  // Of one that has connected.
  DescriptorChannel accept() const;

 private:
  const std::string path_;
  net::OwnedDescriptor socket_;
};

DescriptorChannel connect_channel(const std::string& folder, const std::string& name);

}  // namespace flyball::cluster::node
