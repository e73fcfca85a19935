// Upgraded: what is left of an HTTP exchange after "101 Switching Protocols": a connection that speaks something else.
//
//   Upgraded upgraded = http.upgrade(url, {.headers = {{"Connection", "Upgrade"}, {"Upgrade", "echo"}}}, stop);
//   if (!upgraded.stream) complain(upgraded.head);         // the server said something else than 101
//   upgraded.stream->write("hello", stop);
//
// Thread-safety: as Stream. Lifetime: the stream does not need the client that made it, only its clock.
#pragma once

#include <memory>

#include "flyball/net/http.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::net {

struct Upgraded {
  Response head = {};                   // with its body, unless the status is 101
  std::unique_ptr<Stream> stream = {};  // null unless the status is 101; begins with what followed the head
};

}  // namespace flyball::net
