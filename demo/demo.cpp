// The demo: a Kubernetes on this machine, an operator of one file, and real memcached processes. A person asks for
// three and gets them; kills some; asks for five; talks to them; and when the Memcached is deleted nothing is left.
//
//   flyball_demo [--keep]      --keep: everything stays at the end, until Ctrl-C
//
// Every step is checked; the exit status is 1 when one does not give what it should.
#define main operator_main  // NOLINT(readability-identifier-naming): the operator's own; the demo has another
#include "../operators/memcached/memcached.cpp"  // NOLINT(bugprone-suspicious-include): an operator is one file
#undef main

#include <csignal>
#include <set>

#include "playground.hpp"
#include "print.hpp"
#include "processes.hpp"
#include "view.hpp"
#include <flyball/client/logs.hpp>
#include <flyball/kube/events/v1.hpp>

namespace {

using namespace demo;
using namespace std::chrono_literals;

const ObjectKey kSample{"default", "sample"};

constexpr std::string_view kManifest = R"(apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata:
  name: sample
spec:
  size: 3
)";

constexpr std::string_view kMistaken = R"(apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata:
  name: sample
spec:
  sizes: 3
  image: 16
)";

// The lines of a text, moved to the right.
void print_indented(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::cout << "    " << text.substr(at, end - at) << "\n";
    at = end + 1;
  }
}

class Demo {
 public:
  explicit Demo(Playground& ground) : ground_(ground), person_(ground.person()), view_(ground.person()) {}

  void run() {
    install();
    mistake();
    make();
    if (ground_.has_processes()) {
      talk();
      crash();
    } else {
      std::cout << "\n  " << yellow("Pods are not processes on this machine (the line \"node\" above says why):")
                << "\n  " << yellow("steps 3 and 4, which talk to one and kill one, are left out.") << "\n";
    }
    lose();
    scale();
    explain();
    remove();
  }

 private:
  static std::string seconds(Duration took) {
    const auto tenths = std::chrono::duration_cast<std::chrono::milliseconds>(took).count() / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  }
  std::string title() {
    const auto found = person_.find<Memcached>(kSample);
    if (!found) return "Memcached/sample  gone";
    return "Memcached/sample  " + std::to_string(found->status.nodes.size()) + " of " +
           std::to_string(found->spec.size) + " ready";
  }
  std::vector<int> memcacheds() const { return processes_below(ground_.cluster_process(), "memcached"); }
  std::vector<core::Pod> pods() {
    std::vector<core::Pod> all;
    for (const auto& pod : person_.list<core::Pod>({.namespace_ = "default", .labels = {{"memcached_cr", "sample"}}})) {
      all.push_back(pod);
    }
    return all;
  }
  // So many are ready, none is on its way out, and the operator says so.
  bool are_ready(std::size_t count) {
    const auto found = person_.find<Memcached>(kSample);
    return found && found->status.nodes.size() == count && found->status.conditions.is_true("Available") &&
           pods().size() == count && (!ground_.has_processes() || memcacheds().size() == count);
  }

  // Says what a person does, does it, and shows what comes of it.
  void step(std::string_view said, const std::function<void()>& act, std::string_view effect,
            const std::function<bool()>& holds) {
    std::cout << "  " << cyan("$ " + std::string(said)) << "\n\n" << std::flush;
    const TimePoint began = ground_.now();
    act();
    const bool came = ground_.becomes(holds, [&] { view_.draw(title(), uid_); });
    view_.leave(title(), uid_);
    std::cout << "\n";
    expect(came, std::string(effect) + faint("  after " + seconds(ground_.now() - began)));
    if (kTerminal) ground_.pause(1s);
  }

  void install() {
    headline("1. The operator: one C++ file. Its structs are its definition, its permissions follow from what it does");
    for (const json::Value& definition : {crd<Memcached>()}) {
      person_.dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}).apply(definition);
    }
    person_.mapper().forget();
    std::cout << "  " << cyan("$ memcached-operator crd") << faint("     # of it, what the struct MemcachedSpec became")
              << "\n";
    const json::Value definition = crd<Memcached>();
    print_indented(json::write_yaml(
        definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]));
    std::cout << "\n  " << cyan("$ memcached-operator crd | kubectl apply --server-side -f -") << "\n  "
              << cyan("$ memcached-operator --kubeconfig …") << "\n\n";
    ground_.run_operator("memcached-operator", {"--metrics-address=127.0.0.1:0", "--probes-address=off"});
    const bool came = ground_.becomes(
        [&] { return ground_.operator_log("memcached-operator").find("reconciling") != std::string::npos; }, [] {});
    expect(came, "it runs, and has read everything there is");
  }

  // Both sides know what a Memcached is: the struct, and the API server by the definition that was made of it.
  void mistake() {
    headline("2. A person asks for three; first with mistakes");
    std::cout << kMistaken << "\n";
    std::string said;
    try {
      reflect::decode_yaml<Memcached>(kMistaken, {.strict = true});
    } catch (const Error& error) {
      said = error.what();
    }
    print_indented(said);
    expect(said.find("sizes") != std::string::npos, "the decoder of the struct says what is wrong, and where");
    std::cout << "\n  " << cyan("$ kubectl apply -f eleven.yaml") << "\n\n";
    try {
      person_.dynamic({"cache.example.com", "v1alpha1", "Memcached"})
          .apply(json::parse_yaml("{apiVersion: cache.example.com/v1alpha1, kind: Memcached, metadata: {name: sample, "
                                  "namespace: default}, spec: {size: 11}}"));
      said.clear();
    } catch (const ApiError& error) {
      said = error.message();
    }
    print_indented(said);
    expect(said.find("less than or equal to 10") != std::string::npos, "so does the API server, by the definition");
    std::cout << "\n";
    if (kTerminal) ground_.pause(1s);
  }

  void make() {
    std::cout << kManifest << "\n";
    expect(reflect::decode_yaml<Memcached>(kManifest, {.strict = true}).spec.size == 3, "this one is right");
    std::cout << "\n";
    step(
        "kubectl apply -f sample.yaml",
        [&] {
          const json::Value made =
              person_.dynamic({"cache.example.com", "v1alpha1", "Memcached"}).apply(json::parse_yaml(kManifest));
          uid_ = std::string(made["metadata"]["uid"].as_string());
        },
        ground_.has_processes() ? "three real memcached processes run, each with an address of its own, and are ready"
                                : "three pods are ready",
        [&] { return are_ready(3); });
    if (!ground_.has_processes()) return;
    std::string ids;
    for (const int id : memcacheds()) ids += " " + std::to_string(id);
    std::cout << faint("    processes of this machine:" + ids) << "\n";
  }

  void talk() {
    headline("3. They answer, behind a Service, by its name");
    person_.create(core::Service{.metadata = {.name = "sample", .namespace_ = "default"},
                                 .spec = {.selector = {{"memcached_cr", "sample"}}, .ports = {{.port = 11211}}}});
    const std::string script =
        "exec 3<> /dev/tcp/sample/11211 && printf 'set greeting 0 0 5\\r\\nhello\\r\\nget greeting\\r\\nquit\\r\\n' "
        ">&3 "
        "&& cat <&3";
    std::cout << "  " << cyan("$ kubectl expose deployment sample --port 11211") << "\n  "
              << cyan("$ kubectl run client --image=bash -- \"" + script + "\"") << "\n\n"
              << std::flush;
    person_.create(
        core::Pod{.metadata = {.name = "client", .namespace_ = "default"},
                  .spec = {.containers = {{.name = "client",
                                           .image = "bash",
                                           .command = {"bash", "-c", "until " + script + "; do sleep 0.1; done"}}},
                           .restartPolicy = "Never"}});
    const bool came = ground_.becomes(
        [&] { return person_.get<core::Pod>({"default", "client"}).status.phase == "Succeeded"; }, [] {});
    const std::string said = came ? client::pod_log_text(person_, {"default", "client"}) : "";
    for (std::size_t at = 0; at < said.size();) {
      const std::size_t end = std::min(said.find('\n', at), said.size());
      std::cout << "    " << said.substr(at, end - at) << "\n";
      at = end + 1;
    }
    std::cout << "\n";
    expect(said.find("STORED") != std::string::npos && said.find("hello") != std::string::npos,
           "a pod found them by the name \"sample\", stored a greeting and read it back");
    person_.delete_<core::Pod>({"default", "client"});
  }

  void crash() {
    headline("4. One crashes");
    const auto ids = memcacheds();
    if (ids.empty()) return expect(false, "there is a process to kill");
    step(
        "kill -9 " + std::to_string(ids.front()), [&] { ::kill(ids.front(), SIGKILL); },
        "its container was started again, in the same pod",
        [&] {
          bool restarted = false;
          for (const auto& pod : pods()) {
            for (const auto& one : pod.status.containerStatuses) restarted = restarted || one.restartCount > 0;
          }
          return restarted && are_ready(3);
        });
  }

  void lose() {
    headline("5. One is lost");
    const auto before = pods();
    if (before.empty()) return expect(false, "there is a pod to delete");
    const std::string lost = before.front().metadata.name;
    step(
        "kubectl delete pod " + lost, [&] { person_.delete_<core::Pod>({"default", lost}); }, "another took its place",
        [&] { return are_ready(3) && !person_.find<core::Pod>({"default", lost}); });
  }

  void scale() {
    headline("6. The person wants five");
    step(
        "kubectl patch memcached sample --type merge -p '{\"spec\":{\"size\":5}}'",
        [&] { person_.edit<Memcached>(kSample, [](auto& m) { m.spec.size = 5; }); }, "five answer",
        [&] { return are_ready(5); });
  }

  void explain() {
    headline("7. What the operator said, and what it cost");
    std::size_t said = 0;
    for (const auto& event : person_.list<kube::events::v1::Event>({.namespace_ = "default"})) {
      if (event.regarding.kind != "Memcached") continue;
      std::cout << "    " << event.type << "  " << event.reason << "  " << event.note << "\n";
      ++said;
    }
    for (const std::string& line : metrics()) std::cout << faint("    " + line) << "\n";
    std::cout << "\n";
    expect(said > 0, "events, for kubectl describe");
    expect(!metrics().empty(), "metrics, under the names controller-runtime gives them");
  }

  void remove() {
    headline("8. The Memcached is deleted");
    step(
        "kubectl delete memcached sample", [&] { person_.delete_<Memcached>(kSample); },
        "the Deployment, its ReplicaSet, the pods and the processes are gone",
        [&] {
          return !person_.find<Memcached>(kSample) && !person_.find<apps::Deployment>(kSample) && pods().empty() &&
                 memcacheds().empty();
        });
  }

  // Some lines of what the operator serves under /metrics.
  std::vector<std::string> metrics() {
    const std::string log = ground_.operator_log("memcached-operator");
    const std::size_t at = log.find("url=", log.find("metrics"));
    if (at == std::string::npos) return {};
    const std::string url = log.substr(at + 4, log.find_first_of(" \n", at) - at - 4);
    return ground_.fetch_lines(url + "/metrics",
                               {"controller_runtime_reconcile_total", "controller_runtime_reconcile_errors_total",
                                "workqueue_adds_total", "flyball_cache_bytes"});
  }

  Playground& ground_;
  const Client& person_;
  View view_;
  std::string uid_;
};

std::filesystem::path own_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

// A folder for the demo alone, gone with it.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "flyball-demo-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw Error("cannot make a folder in the temporary one");
    path_ = pattern;
  }
  ~Scratch() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void play(bool keep) {
  const Scratch scratch;
  headline("0. A cluster in a box: `flyball dev`");
  Playground ground(own_folder(), scratch.path());
  std::cout << ground.greeting();
  Demo(ground).run();
  if (keep) {
    std::cout << "\n"
              << bold("It stays, until Ctrl-C.")
              << " In another terminal:\n\n    export KUBECONFIG=" << ground.kubeconfig()
              << "\n    kubectl get pods --watch\n\n"
              << std::flush;
    return ground.wait();
  }
  ground.stop_operator();
  expect(ground.stop_cluster().ok(), "the cluster has ended, and nothing of it is left");
}

}  // namespace

int main(int argc, char** argv) {
  const bool keep = argc > 1 && std::string_view(argv[1]) == "--keep";
  try {
    play(keep);
  } catch (const std::exception& error) {
    expect(false, error.what());
  }
  std::cout << "\n"
            << (all_as_expected ? green("Every step did what it should.") : red("A step went wrong.")) << "\n\n"
            << "Next, in a shell of your own:\n\n"
            << "    build/bin/flyball dev                                       a cluster that stays\n"
            << "    build/bin/memcached-operator --kubeconfig .flyball/kubeconfig\n"
            << "    kubectl --kubeconfig .flyball/kubeconfig get pods --watch\n\n"
            << faint("The operator is operators/memcached/memcached.cpp: all of it. The demo is demo/demo.cpp.")
            << "\n";
  return all_as_expected ? 0 : 1;
}
