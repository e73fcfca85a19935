// ChildOutput: what a child of the sandbox prints: into its log, or kept, and to all who are attached.
//
//   ChildOutput output(std::move(end_of_a_pipe));
//   output.log_to(file, "stdout");
//   output.attach(std::move(somebody));
//   output.add_to(polls);
//   … poll …
//   output.act();
//
// One who is attached and does not read holds the child up, as with the container runtimes: nothing is lost for them,
// and nothing piles up here.
//
// Thread-safety: one thread, the sandbox's. Lifetime: the log's descriptor outlives it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flyball/cluster/node/log_lines.hpp"
#include "flyball/net/descriptor.hpp"

struct pollfd;  // NOLINT(readability-identifier-naming): of the system

namespace flyball::cluster::node {

// Somebody who gets a copy.
struct Attached {
  net::OwnedDescriptor to = {};
  std::string waiting = {};

  // Writes what it takes; false when it is gone.
  bool flush();
};

class ChildOutput {
 public:
  ChildOutput() = default;
  explicit ChildOutput(net::OwnedDescriptor from) : from_(std::move(from)) { net::set_non_blocking(from_.get()); }

  void log_to(int file, std::string stream) { log_.emplace(file, std::move(stream)); }
  void attach(net::OwnedDescriptor to);

  void add_to(std::vector<pollfd>& polls) const;
  void act();
  // After the child's end: reads the rest. Those who could not take all of it yet are given back.
  std::vector<Attached> finish();
  // What was kept of it: of a child that has no log.
  const std::string& text() const noexcept { return text_; }

 private:
  bool somebody_waits() const;
  void flush();
  void read(bool to_the_end);
  void take(std::string_view piece);

  net::OwnedDescriptor from_;
  std::optional<LogWriter> log_;
  std::string text_;
  std::vector<Attached> attached_;
};

}  // namespace flyball::cluster::node
