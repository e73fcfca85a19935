#include "corpus/pods.hpp"

#include <algorithm>
#include <array>

#include "corpus/text.hpp"

#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/decode.hpp"

namespace bench {
namespace {

using flyball::Random;

std::uint64_t nodes_for(std::size_t count) { return std::max<std::size_t>(10, count / 50); }

std::vector<std::pair<std::string, std::string>> make_env(Random& random, std::size_t count) {
  std::vector<std::pair<std::string, std::string>> env;
  for (std::size_t i = 0; i < count; ++i) {
    // No name twice: that is what their number is for.
    std::string name = text(word(random), "_", word(random), i);
    std::ranges::transform(name, name.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
    switch (random.below(3)) {
      case 0:
        env.emplace_back(name + "_URL", text("https://", word(random), ".", word(random),
                                             ".svc.cluster.local:", 1000 + random.below(9000), "/v", random.below(4)));
        break;
      case 1: env.emplace_back(name + "_TIMEOUT", text(random.below(60), "s")); break;
      default: env.emplace_back(name + "_ID", random.name_suffix(12));
    }
  }
  return env;
}

ContainerPlan make_container(Random& random, const std::string& name, const std::string& repository, bool main) {
  constexpr std::array<std::string_view, 4> kCpus = {"100m", "250m", "500m", "1"};
  constexpr std::array<std::string_view, 4> kMemories = {"128Mi", "256Mi", "512Mi", "1Gi"};
  ContainerPlan plan{.name = name,
                     .image = text("registry.example.com/", repository, "/", name),
                     .tag = text("v", random.below(4), ".", random.below(40), ".", random.below(20)),
                     .digest = hex(random, 64),
                     .port = main ? 8000 + random.below(100) : 15'000 + random.below(100),
                     .env = make_env(random, main ? 3 + random.below(6) : 2),
                     .arguments = {},
                     .cpu = std::string(kCpus.at(random.below(kCpus.size()))),
                     .memory = std::string(kMemories.at(random.below(kMemories.size())))};
  plan.arguments = {text("--listen=0.0.0.0:", plan.port), "--log-format=json",
                    text("--config=/etc/", name, "/config.yaml"), text("--cluster=", word(random))};
  return plan;
}

}  // namespace

Workload make_workload(Workload::Kind kind, std::uint64_t number, std::uint64_t seed, std::uint64_t namespaces) {
  Random random = random_of(seed, 'w', number, kind == Workload::Kind::deployment ? 0 : 1);
  Workload made;
  made.kind = kind;
  Random place = random_of(seed, 'n', kind == Workload::Kind::deployment ? number % namespaces : 0);
  made.namespace_ = kind == Workload::Kind::deployment ? text(word(place), "-", word(place), "-", number % namespaces)
                                                       : std::string("kube-system");
  made.app = text(word(random), "-", word(random), "-", number);
  made.hash = random.name_suffix(10);
  made.uid = random.uuid();
  made.checksum = hex(random, 64);
  made.part_of = word(random);
  made.version = text("v", random.below(4), ".", random.below(40), ".", random.below(20));
  made.containers.push_back(make_container(random, made.app, made.part_of, true));
  // The same sidecars all over the cluster, each release of them in use somewhere.
  const auto sidecar = [&](const std::string& name) {
    Random shared = random_of(seed, 'c', random.below(4), name.size());
    made.containers.push_back(make_container(shared, name, "mesh", false));
  };
  if (random.chance(0.45)) sidecar("proxy");
  if (random.chance(0.1)) sidecar("log-shipper");
  return made;
}

PodCorpus::PodCorpus(bool unique, flyball::client::Resource resource, std::size_t count, std::uint64_t seed)
    : Corpus(std::move(resource), count, seed),
      unique_(unique),
      nodes_(nodes_for(count)),
      clones_from_(unique ? count : count * 8 / 10) {
  if (unique) return;
  // Replicas as they are found: many small ones, a few large ones; 18 on average.
  constexpr std::array<std::size_t, 10> kReplicas = {1, 2, 3, 3, 5, 10, 10, 20, 40, 86};
  const std::uint64_t namespaces = std::max<std::size_t>(5, count / 400);
  const std::size_t deployed = count * 7 / 10;
  std::uint64_t number = 0;
  for (std::size_t slot = 0; slot < deployed; slot += kReplicas.at(number++ % kReplicas.size())) {
    ranges_.push_back({slot, make_workload(Workload::Kind::deployment, number, seed, namespaces)});
  }
  for (std::size_t slot = deployed; slot < clones_from_; slot += nodes_) {
    ranges_.push_back({slot, make_workload(Workload::Kind::daemon_set, number++, seed, namespaces)});
  }
  ranges_.push_back({clones_from_, make_workload(Workload::Kind::deployment, number, seed, namespaces)});
}

const PodCorpus::Range& PodCorpus::range_of(std::size_t slot) const {
  const auto after = std::ranges::upper_bound(ranges_, slot, {}, &Range::first);
  return *std::prev(after);
}

Workload PodCorpus::own_workload(std::size_t slot) const {
  return make_workload(Workload::Kind::deployment, slot, seed(), std::max<std::size_t>(5, count() / 400));
}

PodSelf PodCorpus::self(const Workload& of, const ObjectState& state) const {
  // Of clones only the name, the uid and the version are their own.
  const std::uint64_t alike = std::min(state.slot, clones_from_);
  Random own = random_of(seed(), 'i', state.slot, state.incarnation);
  Random body = random_of(seed(), 'p', alike, state.slot < clones_from_ ? state.incarnation : 0);
  const std::uint64_t node = of.kind == Workload::Kind::daemon_set ? state.slot % nodes_ : body.below(nodes_);
  Random machine = random_of(seed(), 'm', node);
  PodSelf self{
      .name = text(of.owner(), "-", own.name_suffix(state.slot < clones_from_ ? 5 : 8)),
      .uid = own.uuid(),
      .node = text("ip-10-", node / 250, "-", node % 250, "-", machine.below(250), ".eu-west-1.compute.internal"),
      .host_ip = address(machine, 172),
      .pod_ip = address(body, 10),
      .token_volume = "kube-api-access-" + body.name_suffix(5),
      .created = body.below(20'000'000),
      .container_ids = {},
      .restarts = body.chance(0.1) ? body.below(20) : 0};
  for (std::size_t i = 0; i < of.containers.size(); ++i) {
    // A change is a container that was started again.
    Random started = random_of(seed(), 'r', alike * 16 + i, i == 0 ? state.generation : 0);
    self.container_ids.push_back(hex(started, 64));
  }
  self.restarts += state.generation;
  return self;
}

std::string PodCorpus::key(const ObjectState& state) const {
  const Workload own = unique_ ? own_workload(state.slot) : Workload{};
  const Workload& of = unique_ ? own : range_of(state.slot).workload;
  return of.namespace_ + "/" + self(of, state).name;
}

std::string PodCorpus::json(const ObjectState& state) const {
  const Workload own = unique_ ? own_workload(state.slot) : Workload{};
  const Workload& of = unique_ ? own : range_of(state.slot).workload;
  return pod_json(of, self(of, state), state);
}

std::string PodCorpus::protobuf(const ObjectState& state) const {
  using flyball::kube::core::v1::Pod;
  const auto pod = flyball::reflect::decode<Pod>(json(state));
  return flyball::kube::encode_message(flyball::reflect::type_of<Pod>(), &pod);
}

}  // namespace bench
