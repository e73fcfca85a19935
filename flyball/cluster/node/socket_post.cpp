#include "flyball/cluster/node/socket_post.hpp"

#include <array>
#include <cstring>
#include <filesystem>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "flyball/base/error.hpp"
#include "flyball/cluster/node/system_call.hpp"

namespace flyball::cluster::node {
namespace {

constexpr int kLook = 100;  // milliseconds between looks at the stop

sockaddr_un address_of_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw Error("the path of a socket is too long: " + path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

// Room for one descriptor beside the bytes of a message.
struct Parcel {
  char byte = 0;
  iovec data{.iov_base = &byte, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};

  Parcel() {
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
  }
  Parcel(const Parcel&) = delete;
  Parcel& operator=(const Parcel&) = delete;
};

class Owned {
 public:
  explicit Owned(int fd) : fd_(fd) {}
  ~Owned() { ::close(fd_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  int get() const noexcept { return fd_; }

 private:
  int fd_;
};

}  // namespace

SocketPost::SocketPost() {
  folder_ = (std::filesystem::temp_directory_path() / "flyball-XXXXXX").string();
  if (::mkdtemp(folder_.data()) == nullptr) check(-1, "make a folder in " + folder_);
  path_ = folder_ + "/post";
  fd_ = check(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "make a socket");
  const sockaddr_un address = address_of_path(path_);
  check(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), "listen at " + path_);
  check(::listen(fd_, 1), "listen at " + path_);
}

SocketPost::~SocketPost() {
  if (fd_ >= 0) ::close(fd_);
  std::error_code none;
  std::filesystem::remove_all(folder_, none);
}

int SocketPost::receive(const Stop& stop) const {
  for (pollfd wait{.fd = fd_, .events = POLLIN, .revents = 0}; ::poll(&wait, 1, kLook) <= 0;) stop.throw_if_stopped();
  const Owned peer(check(::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC), "accept a socket's sender"));
  Parcel parcel;
  check(static_cast<int>(::recvmsg(peer.get(), &parcel.message, MSG_CMSG_CLOEXEC)), "receive a socket");
  const cmsghdr* header = CMSG_FIRSTHDR(&parcel.message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) throw Error("the other process sent no socket");
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
  return fd;
}

void send_socket(const std::string& path, int fd) {
  const Owned to(check(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "make a socket"));
  const sockaddr_un address = address_of_path(path);
  check(::connect(to.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), "reach " + path);
  Parcel parcel;
  cmsghdr* header = CMSG_FIRSTHDR(&parcel.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  check(static_cast<int>(::sendmsg(to.get(), &parcel.message, MSG_NOSIGNAL)), "send a socket");
}

}  // namespace flyball::cluster::node
