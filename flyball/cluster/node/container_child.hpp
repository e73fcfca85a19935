// become_container: turns a child of the sandbox into the program of a container. It does not come back.
//
// The failures on the way come out as Error: the child tells them and ends.
//
// For a process with one thread.
#pragma once

#include "flyball/cluster/node/sandbox_protocol.hpp"

namespace flyball::cluster::node {

struct ChildStreams {
  int in = -1;       // what it reads; -1: nothing
  int out = -1;      // what it prints goes there; -1: nowhere
  int error = -1;    // and what it complains of
  bool tty = false;  // all of them are one terminal, and it becomes the program's own
};

[[noreturn]] void become_container(const SandboxSetup& setup, const ContainerRequest& request,
                                   const ChildStreams& streams);
// A command in the namespaces of a container that runs.
[[noreturn]] void join_container(const SandboxSetup& setup, int process, const ContainerRequest& request,
                                 const ChildStreams& streams);

}  // namespace flyball::cluster::node
