// PortPump: reads from any number of connections with one thread, and gives what comes to one function.
//
//   PortPump pump(clock, [&](std::uint32_t id, std::string_view bytes, const Stop& stop) { … });   // empty: the end
//   pump.add(1, std::move(connection));
//   pump.write(1, "hello", stop);                           // waits while the connection takes nothing
//   pump.end_input(1);                                      // the other half goes on
//
// A connection goes when both its halves have ended. When the function throws, everything ends: `over()` stops.
//
// Thread-safety: all members may be called from any thread; the function is called from the pump's. Lifetime: the clock
// outlives it; after the destructor the function is not called any more.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string_view>

#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/net/descriptor.hpp"

namespace flyball::apiserver {

class PortPump {
 public:
  using Output = std::function<void(std::uint32_t id, std::string_view bytes, const Stop& stop)>;

  PortPump(Clock& clock, Output output, const Stop& stop);
  ~PortPump();
  PortPump(const PortPump&) = delete;
  PortPump& operator=(const PortPump&) = delete;

  void add(std::uint32_t id, net::OwnedDescriptor connection);
  // What a connection that is gone or broken does not take is dropped.
  void write(std::uint32_t id, std::string_view bytes, const Stop& stop);
  void end_input(std::uint32_t id);
  void remove(std::uint32_t id);
  std::size_t size();
  // Stops when nothing is carried any more.
  Stop over() const { return over_.stop(); }

 private:
  struct Connection {
    net::OwnedDescriptor descriptor;
    bool said_all = false;   // the pod has ended its half
    bool heard_all = false;  // and the client its own
  };
  using Pointer = std::shared_ptr<Connection>;

  Pointer find(std::uint32_t id);
  void run();
  void read_all_ready(const Stop& stop);
  void note_end(std::uint32_t id, bool Connection::* half);

  // Constant after construction.
  Clock& clock_;
  const Output output_;
  StopSource over_;

  net::DescriptorWait wait_;
  Mutex mutex_;
  std::map<std::uint32_t, Pointer> connections_ FLYBALL_GUARDED_BY(mutex_);  // their halves, too

  Thread thread_;  // last: it uses all of the above
};

}  // namespace flyball::apiserver
