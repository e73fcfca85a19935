// ProcessCommand: what the API server holds of a command in a pod, or of being attached to a container: the node's ends
// of its streams.
//
//   CommandStreams streams = make_streams({.in = true, .out = true});
//   channel.send(streams.of_command());                      // the other ends
//   return std::make_unique<ProcessCommand>(std::move(streams.ours), …);
//
// Thread-safety: as apiserver::PodProcess says. Lifetime: what the actions use outlives it.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "flyball/cluster/node/pod_runtime.hpp"
#include "flyball/net/descriptor.hpp"

namespace flyball::cluster::node {

struct CommandEnds {
  net::OwnedDescriptor in = {};
  net::OwnedDescriptor out = {};
  net::OwnedDescriptor error = {};
  net::OwnedDescriptor terminal = {};  // to resize; none where there is none
};

struct CommandStreams {
  CommandEnds ours = {};
  std::vector<net::OwnedDescriptor> theirs = {};  // in the order of input, output, errors; or one terminal

  std::vector<int> of_command() const;
};

CommandStreams make_streams(const CommandRequest& request);

class ProcessCommand final : public apiserver::PodProcess {
 public:
  struct Actions {
    std::function<int(const Stop&)> wait = {};  // none: it ends when its streams do
    std::function<void()> end_input = {};
    std::function<void()> leave = {};
  };

  ProcessCommand(CommandEnds ends, Actions actions) : ends_(std::move(ends)), actions_(std::move(actions)) {}
  ~ProcessCommand() override;

  int input() const noexcept override { return ends_.in.get(); }
  int output() const noexcept override { return ends_.out.get(); }
  int error() const noexcept override { return ends_.error.get(); }
  void end_input() override;
  void resize(std::uint16_t width, std::uint16_t height) override;
  int wait(const Stop& stop) override { return actions_.wait ? actions_.wait(stop) : 0; }

 private:
  CommandEnds ends_;
  const Actions actions_;
};

}  // namespace flyball::cluster::node
