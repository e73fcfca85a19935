// OperatorFlags: the flags that every operator has. Operator::main reads them; a program of your own may too.
//
//   OperatorFlags flags;
//   CommandLine line = operator_command_line("memcached-operator", "Keeps memcached clusters.", flags);
//   line.flag("image", image, {.value = "IMAGE", .help = "The image of new pods."});        // and your own
//   line.parse(argc, argv);
//
//   const auto election = leader_election_of(flags, {.operator_name = "memcached-operator", .identity = "laptop"});
//
// Thread-safety: a value. Lifetime: outlives the parsing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log_encode.hpp"
#include "flyball/runtime/command_line.hpp"
#include "flyball/runtime/leader_election_options.hpp"

namespace flyball::runtime {

// Where a server listens: ":8080" for everybody, "127.0.0.1:8080", "[::1]:8080"; "off" for no server.
struct ListenAddress {
  std::string address = "0.0.0.0";
  std::uint16_t port = 0;
  bool off = false;

  // Throws InputError.
  static ListenAddress parse(std::string_view text);
  std::string to_string() const;
  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

struct OperatorFlags {
  std::string kubeconfig = {};               // empty: look for one
  std::string context = {};                  // of the kubeconfig; empty: the current one
  std::vector<std::string> namespaces = {};  // empty: all
  ListenAddress metrics = {.port = 8080};
  ListenAddress probes = {.port = 8081};
  std::string log_level = "info";  // as LogCore::set_levels takes it
  LogEncoding log_format = LogEncoding::console;
  std::uint32_t concurrency = 4;                         // passes at once per controller
  std::uint64_t cache_budget = 0;                        // bytes; 0: no limit
  std::string cache_dir = {};                            // empty: nothing is saved
  Duration shutdown_timeout = std::chrono::seconds(25);  // Kubernetes kills after 30 s
  std::optional<bool> leader_elect = {};                 // none: in a pod yes, elsewhere no
  std::string leader_election_namespace = {};            // of the Lease; empty: the pod's
  std::string leader_election_id = {};                   // the name of the Lease; empty: the operator's
  LeaderElectionTimes leader_election = {};

  // What each flag alone cannot see. Throws InputError, which names the flags.
  void check() const;
};

// An operator that is to run: its name, and who and where this process is.
struct OperatorPlace {
  std::string operator_name = {};
  std::string identity = {};       // of this process alone
  std::string pod_namespace = {};  // empty: this is no pod
};

// How it competes, by the flags and by where it runs; nothing when it does not. Throws InputError when it is not known
// in which namespace.
std::optional<LeaderElectionOptions> leader_election_of(const OperatorFlags& flags, const OperatorPlace& place);

// With the commands and flags of every operator, in the order of the help.
CommandLine operator_command_line(std::string program, std::string about, OperatorFlags& flags);

}  // namespace flyball::runtime
