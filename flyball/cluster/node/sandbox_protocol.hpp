// What the node and the sandbox of a pod say to each other: JSON, a line each way for each thing.
//
//   to the sandbox     {"setup": {…}}                                    once, first
//                      {"start": {"id": 1, "command": […], …}}           a container
//                      {"run": {"id": 2, "inside": 1, "command": […]}}   a command in it, with its output
//                      {"exec": {"id": 3, "inside": 1, …}}               one whose streams come from us
//                      {"attach": {"id": 4, "inside": 1, …}}             streams that get what a container prints
//                      {"socket": {"id": 5, "ipv6": false}}              of the pod's network, for us
//                      {"probe": {"id": 6, "kind": "tcp", …}}
//                      {"signal": {"id": 1, "number": 15}}
//   from the sandbox   {"ready": true} or {"broken": "why"}              once, first
//                      {"started": 1, "pid": 7}, {"refused": 1, "why": "…"}
//                      {"ended": 1, "code": 0, "signal": 0, "output": "…"}
//                      {"made": 5}
//
// Descriptors go beside it (descriptor_channel.hpp), each time before the line that tells of them: for a start with a
// terminal its two ends, the program's first; else the input, if there is one. For exec and attach those that are
// wanted of input, output and errors, or the program's end of a terminal. For "made" the socket.
//
// Thread-safety: pure functions; the sandbox's side is for its one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "flyball/cluster/node/namespaces.hpp"
#include "flyball/cluster/node/pod_runtime.hpp"
#include "flyball/json/value.hpp"

namespace flyball::cluster::node {

struct SandboxSetup {
  std::string hostname = {};
  bool isolated = true;      // in namespaces of its own; else it shares all the machine has
  bool root = false;         // we are root, really
  std::string scratch = {};  // an empty folder
  std::string streams = {};  // the folder of the socket for descriptors
  std::string socket = {};   // and its name
  PodNetwork network = {};
};

json::Value to_json(const SandboxSetup& setup);
SandboxSetup setup_from(json::View value);

json::Value start_command(std::int64_t id, const ContainerRequest& request);
ContainerRequest container_from(json::View start);
json::Value run_command(std::int64_t id, std::int64_t inside, const ContainerRequest& request);
// Which of a command's streams there are.
struct StreamSet {
  bool in = false;
  bool out = false;
  bool error = false;
  bool tty = false;
};
json::Value exec_command(std::int64_t id, std::int64_t inside, const ContainerRequest& request,
                         const StreamSet& streams);
json::Value attach_command(std::int64_t id, std::int64_t inside, const StreamSet& streams);
StreamSet streams_from(json::View command);
json::Value probe_command(std::int64_t id, const ProbeRequest& request, const std::string& host);
ProbeRequest probe_from(json::View probe);

// Whole lines out of pieces.
class Lines {
 public:
  void add(std::string_view piece) { text_ += piece; }
  std::optional<std::string> next();

 private:
  std::string text_;
};

// The sandbox's side. Ends the process when nobody listens.
void say(const json::Value& message);
// Reads more of the input; false at its end.
bool read_more(Lines& lines);
// The next line of the input; nothing at its end.
std::optional<std::string> wait_for_line(Lines& lines);

}  // namespace flyball::cluster::node
