// The Pods of a cluster: workloads, and the Pods each of them has. Private to the corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus.hpp"

#include "flyball/base/random.hpp"

namespace bench {

struct ContainerPlan {
  std::string name;
  std::string image;  // without its tag
  std::string tag;
  std::string digest;
  std::uint64_t port = 8080;
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<std::string> arguments;
  std::string cpu;
  std::string memory;
};

// What the Pods of a ReplicaSet or DaemonSet have in common.
struct Workload {
  enum class Kind : std::uint8_t { deployment, daemon_set };
  Kind kind = Kind::deployment;
  std::string namespace_;
  std::string app;
  std::string hash;  // of the template
  std::string uid;
  std::string checksum;
  std::string part_of;
  std::string version;
  std::vector<ContainerPlan> containers;

  std::string owner() const { return kind == Kind::deployment ? app + "-" + hash : app; }
};

Workload make_workload(Workload::Kind kind, std::uint64_t number, std::uint64_t seed, std::uint64_t namespaces);

// What is a Pod's own.
struct PodSelf {
  std::string name;
  std::string uid;
  std::string node;
  std::string host_ip;
  std::string pod_ip;
  std::string token_volume;
  std::uint64_t created = 0;  // seconds
  std::vector<std::string> container_ids;
  std::uint64_t restarts = 0;
};

std::string pod_json(const Workload& of, const PodSelf& self, const ObjectState& state);
// The value of metadata.managedFields.
std::string managed_fields(const Workload& of, const PodSelf& self, const ObjectState& state);

class PodCorpus final : public Corpus {
 public:
  PodCorpus(bool unique, flyball::client::Resource resource, std::size_t count, std::uint64_t seed);

  std::string key(const ObjectState& state) const override;
  std::string json(const ObjectState& state) const override;
  std::string protobuf(const ObjectState& state) const override;

 private:
  struct Range {
    std::size_t first = 0;  // slot
    Workload workload;
  };
  const Range& range_of(std::size_t slot) const;
  Workload own_workload(std::size_t slot) const;
  PodSelf self(const Workload& of, const ObjectState& state) const;

  const bool unique_;
  const std::uint64_t nodes_;
  const std::size_t clones_from_;  // slots from here on are clones of one Pod
  std::vector<Range> ranges_;
};

}  // namespace bench
