#include "flyball/cluster/node/descriptor_channel.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "flyball/cluster/node/system_call.hpp"

namespace flyball::cluster::node {
namespace {

constexpr std::size_t kMost = 8;

// An address has room for a hundred letters, a folder may have more: it is named by its descriptor.
struct Address {
  Address(const std::string& folder, const std::string& name)
      : opened(check(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC), "open " + folder)) {
    const std::string path = "/proc/self/fd/" + std::to_string(opened.get()) + "/" + name;
    if (path.size() >= sizeof unix_.sun_path) throw Error("the name of a socket is too long: " + name);
    unix_.sun_family = AF_UNIX;
    std::memcpy(unix_.sun_path, path.c_str(), path.size() + 1);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&unix_); }
  static socklen_t size() { return sizeof(sockaddr_un); }

  net::OwnedDescriptor opened;
  sockaddr_un unix_{};
};

net::OwnedDescriptor make_socket() {
  return net::OwnedDescriptor(check(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), "make a socket"));
}

}  // namespace

void DescriptorChannel::send(const std::vector<int>& descriptors) const {
  char byte = 0;
  iovec bytes{.iov_base = &byte, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMost * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
  std::memcpy(CMSG_DATA(head), descriptors.data(), descriptors.size() * sizeof(int));
  while (::sendmsg(socket_.get(), &message, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) check(-1, "hand over descriptors");
  }
}

std::vector<net::OwnedDescriptor> DescriptorChannel::receive() const {
  char byte = 0;
  iovec bytes{.iov_base = &byte, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMost * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  while ((got = ::recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC)) < 0) {
    if (errno != EINTR) check(-1, "take over descriptors");
  }
  std::vector<net::OwnedDescriptor> all;
  if (got == 0) throw Error("cannot take over descriptors: the other end is gone");
  for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(head) + i * sizeof(int), sizeof(int));
      all.emplace_back(fd);
    }
  }
  return all;
}

DescriptorListener::DescriptorListener(const std::string& folder, const std::string& name)
    : path_(folder + "/" + name), socket_(make_socket()) {
  const Address address(folder, name);
  ::unlink(path_.c_str());
  check(::bind(socket_.get(), address.get(), Address::size()), "make the socket " + path_);
  check(::listen(socket_.get(), 1), "listen at " + path_);
}

DescriptorListener::~DescriptorListener() { ::unlink(path_.c_str()); }

DescriptorChannel DescriptorListener::accept() const {
  return DescriptorChannel(
      net::OwnedDescriptor(check(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC), "accept at " + path_)));
}

DescriptorChannel connect_channel(const std::string& folder, const std::string& name) {
  net::OwnedDescriptor socket = make_socket();
  const Address address(folder, name);
  check(::connect(socket.get(), address.get(), Address::size()), "connect to " + folder + "/" + name);
  return DescriptorChannel(std::move(socket));
}

}  // namespace flyball::cluster::node
