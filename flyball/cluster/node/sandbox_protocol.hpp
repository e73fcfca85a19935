// What the node and the sandbox of a pod say to each other: JSON, a line each way for each thing.
//
//   to the sandbox     {"setup": {…}}                                    once, first
//                      {"start": {"id": 1, "command": […], …}}           a container
//                      {"run": {"id": 2, "inside": 1, "command": […]}}   a command in it, with its output
//                      {"probe": {"id": 3, "kind": "tcp", …}}
//                      {"signal": {"id": 1, "number": 15}}
//   from the sandbox   {"ready": true} or {"broken": "why"}              once, first
//                      {"started": 1, "pid": 7}, {"refused": 1, "why": "…"}
//                      {"ended": 1, "code": 0, "signal": 0, "output": "…"}
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
  PodNetwork network = {};
};

json::Value to_json(const SandboxSetup& setup);
SandboxSetup setup_from(json::View value);

json::Value start_command(std::int64_t id, const ContainerRequest& request);
ContainerRequest container_from(json::View start);
json::Value run_command(std::int64_t id, std::int64_t inside, const ContainerRequest& request);
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
