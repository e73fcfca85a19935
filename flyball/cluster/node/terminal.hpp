// A terminal for a program in a container: its end for the program, and ours, to see and to type.
//
//   Terminal terminal = make_terminal();
//   resize_terminal(terminal.ours.get(), 120, 40);
//
// Thread-safety: pure functions. Errors: Error that says what the kernel refused.
#pragma once

#include <cstdint>

#include "flyball/net/descriptor.hpp"

namespace flyball::cluster::node {

struct Terminal {
  net::OwnedDescriptor ours = {};  // does not block
  net::OwnedDescriptor theirs = {};
};

Terminal make_terminal();
void resize_terminal(int fd, std::uint16_t width, std::uint16_t height) noexcept;
net::OwnedDescriptor duplicate(const net::OwnedDescriptor& descriptor);

}  // namespace flyball::cluster::node
