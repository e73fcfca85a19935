#include "flyball/cluster/node/terminal.hpp"

#include <cstdlib>

#include <fcntl.h>
#include <sys/ioctl.h>

#include "flyball/cluster/node/system_call.hpp"

namespace flyball::cluster::node {

Terminal make_terminal() {
  Terminal terminal;
  terminal.ours = net::OwnedDescriptor(check(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), "open a terminal"));
  check(::grantpt(terminal.ours.get()), "open a terminal");
  check(::unlockpt(terminal.ours.get()), "open a terminal");
  // Not by its name, which may be that of another in a container of ours.
  terminal.theirs = net::OwnedDescriptor(
      check(::ioctl(terminal.ours.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC), "open a terminal's other end"));
  net::set_non_blocking(terminal.ours.get());
  return terminal;
}

void resize_terminal(int fd, std::uint16_t width, std::uint16_t height) noexcept {
  winsize size{};
  size.ws_col = width;
  size.ws_row = height;
  ::ioctl(fd, TIOCSWINSZ, &size);
}

net::OwnedDescriptor duplicate(const net::OwnedDescriptor& descriptor) {
  return net::OwnedDescriptor(check(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 0), "copy a descriptor"));
}

}  // namespace flyball::cluster::node
