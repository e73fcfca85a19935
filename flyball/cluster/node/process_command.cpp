#include "flyball/cluster/node/process_command.hpp"

#include "flyball/cluster/node/terminal.hpp"

namespace flyball::cluster::node {

std::vector<int> CommandStreams::of_command() const {
  std::vector<int> all;
  all.reserve(theirs.size());
  for (const net::OwnedDescriptor& each : theirs) all.push_back(each.get());
  return all;
}

CommandStreams make_streams(const CommandRequest& request) {
  CommandStreams streams;
  if (request.tty) {
    Terminal terminal = make_terminal();
    streams.ours.in = duplicate(terminal.ours);
    streams.ours.out = duplicate(terminal.ours);
    streams.ours.terminal = std::move(terminal.ours);
    streams.theirs.push_back(std::move(terminal.theirs));
    return streams;
  }
  if (request.in) {
    net::DescriptorPair pipe = net::make_pipe();
    net::set_non_blocking(pipe.write.get());
    streams.ours.in = std::move(pipe.write);
    streams.theirs.push_back(std::move(pipe.read));
  }
  const auto output = [&](bool wanted, net::OwnedDescriptor& end) {
    if (!wanted) return;
    net::DescriptorPair pipe = net::make_pipe();
    net::set_non_blocking(pipe.read.get());
    end = std::move(pipe.read);
    streams.theirs.push_back(std::move(pipe.write));
  };
  output(request.out, streams.ours.out);
  output(request.error, streams.ours.error);
  return streams;
}

// First its terminal goes, so that what is told to hang up does; then it is ended.
ProcessCommand::~ProcessCommand() {
  ends_ = {};
  if (actions_.leave) actions_.leave();
}

void ProcessCommand::end_input() {
  // The end of a terminal is the end of all it shows.
  if (ends_.terminal) return;
  ends_.in.reset();
  if (actions_.end_input) actions_.end_input();
}

void ProcessCommand::resize(std::uint16_t width, std::uint16_t height) {
  if (ends_.terminal) resize_terminal(ends_.terminal.get(), width, height);
}

}  // namespace flyball::cluster::node
