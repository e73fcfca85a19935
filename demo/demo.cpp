// The demo: an operator of one file, from its structs to its work. First what follows from the structs: their
// definition for Kubernetes, and the answer to a manifest with mistakes. Then the operator itself, on an API server of
// our own: it makes a Deployment, puts it back, scales it, tells what it did.
//
// Every step is checked; the exit status is 1 when one does not give what it should.
#define main operator_main  // NOLINT(readability-identifier-naming): the operator's own; the demo has another
#include "../operators/memcached/memcached.cpp"  // NOLINT(bugprone-suspicious-include): an operator is one file
#undef main

#include "cluster.hpp"
#include "print.hpp"

namespace {

using namespace demo;

constexpr std::string_view kWrong = R"(apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata:
  name: sessions
  lables:
    app: shop
spec:
  size: "3"
  image: 1.6
  sise: 4
)";

constexpr std::string_view kRight = R"(apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata:
  name: sessions
  labels:
    app: shop
spec:
  size: 3
)";

void define_it() {
  headline("1. Two C++ structs give Kubernetes this definition");
  const json::Value definition = crd<Memcached>();
  show(json::write_yaml(definition));
  std::cout << "\n";
  const json::View spec = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
  expect(spec["properties"]["size"]["default"].as_int() == MemcachedSpec().size,
         "types, defaults, bounds and descriptions are those of the structs");
}

void read_the_wrong_one() {
  headline("2. Somebody writes a manifest, and every mistake in it is told");
  try {
    reflect::decode_yaml<Memcached>(kWrong, {.strict = true});
    expect(false, "the mistakes are found");
  } catch (const reflect::DecodeError& error) {
    show(kWrong, error.problems());
    std::cout << "\n";
    expect(error.problems().size() == 4, "four mistakes, each at its place, with what to do");
  }
}

void read_the_right_one() {
  headline("3. Corrected, it is a plain C++ value");
  show(kRight, {});
  const auto m = reflect::decode_yaml<Memcached>(kRight, {.strict = true});
  std::cout << "\n  m.metadata.name  " << m.metadata.name << "\n  m.spec.size      " << m.spec.size
            << "\n  m.spec.image     " << m.spec.image << faint("   the default") << "\n\n";
  expect(m.spec.size == 3 && m.spec.image == "memcached:1.6", "what was written, and the default for the rest");
  expect(semantic_equal(m, reflect::decode<Memcached>(reflect::encode(m))),
         "written as JSON and read again it is the same");
}

const ObjectKey kSessions{"default", "sessions"};

std::optional<int32_t> replicas(const Client& person) {
  const auto deployment = person.find<apps::Deployment>(kSessions);
  return deployment ? deployment->spec.replicas : std::nullopt;
}

std::string milliseconds(Duration took) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()) + " ms";
}

// Does it, and waits until it has the effect it should.
void step(Cluster& cluster, std::string_view said, const std::function<void()>& act, std::string_view effect,
          const std::function<bool()>& holds) {
  std::cout << "  " << cyan(said) << "\n";
  const TimePoint began = cluster.now();
  act();
  const bool came = cluster.becomes(holds);
  expect(came, std::string(effect) + faint("  after " + milliseconds(cluster.now() - began)));
}

void make_ready(const Client& person, const std::string& name) {
  person.create(core::Pod{.metadata = {.name = name, .namespace_ = "default", .labels = {{"memcached_cr", "sessions"}}},
                          .spec = {.containers = {{.name = "memcached", .image = "memcached:1.6"}}},
                          .status = {}});
  person.edit_status<core::Pod>({"default", name},
                                [](core::Pod& pod) { pod.status.conditions = {{.type = "Ready", .status = "True"}}; });
}

void run_it() {
  headline("4. The operator at work, on an API server of our own, over HTTPS, in this very process");
  Operator op("memcached-operator");
  setup(op);
  Cluster cluster(op);
  const Client& person = cluster.person();
  std::cout << "  "
            << faint("listening on " + cluster.url() + "; the operator watches Memcacheds, Deployments and Pods")
            << "\n\n";

  step(
      cluster, "a person applies the manifest above",
      [&] { person.dynamic({"cache.example.com", "v1alpha1", "Memcached"}).apply(json::parse_yaml(kRight)); },
      "a Deployment of 3, owned by it", [&] { return replicas(person) == 3; });
  step(
      cluster, "somebody deletes the Deployment", [&] { person.delete_<apps::Deployment>(kSessions); }, "it is back",
      [&] { return replicas(person) == 3; });
  step(
      cluster, "somebody scales it to 7 behind the operator's back",
      [&] { person.edit<apps::Deployment>(kSessions, [](auto& d) { d.spec.replicas = 7; }); }, "it is 3 again",
      [&] { return replicas(person) == 3; });
  step(
      cluster, "the person wants 5", [&] { person.edit<Memcached>(kSessions, [](auto& m) { m.spec.size = 5; }); },
      "the Deployment follows", [&] { return replicas(person) == 5; });
  step(
      cluster, "five pods come up (there are no nodes yet: the demo plays the kubelet)",
      [&] {
        for (const char* name : {"sessions-a", "sessions-b", "sessions-c", "sessions-d", "sessions-e"})
          make_ready(person, name);
      },
      "status.nodes names them, condition Available is True",
      [&] { return person.get<Memcached>(kSessions).status.conditions.is_true("Available"); });

  headline("5. Why did it do that? The last passes over default/sessions, as the operator remembers them");
  const auto& controller = cluster.run().controller("memcached");
  std::cout << controller.history().explain({.namespace_ = "default", .name = "sessions"}) << "\n";
  expect(!controller.history().latest({.namespace_ = "default", .name = "sessions"})->causes.empty(),
         "each pass knows its causes, what it read, and what it wrote");
}

}  // namespace

int main() {
  try {
    define_it();
    read_the_wrong_one();
    read_the_right_one();
    run_it();
  } catch (const std::exception& error) {
    expect(false, error.what());
  }
  std::cout << "\n"
            << (all_as_expected ? green("Every step did what it should.") : red("A step went wrong.")) << "\n"
            << faint("The operator is operators/memcached/memcached.cpp: all of it. The demo is demo/demo.cpp.")
            << "\n";
  return all_as_expected ? 0 : 1;
}
