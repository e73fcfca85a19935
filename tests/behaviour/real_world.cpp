// The world of the real Kubernetes: kube-apiserver with its etcd, the real clock, and an operator of many threads.
// One server for all cases; each has a namespace of its own.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "world.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/condition.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/net/stream.hpp"
#include "flyball/testing/kubernetes.hpp"

namespace flyball::behaviour {
namespace {

using namespace std::chrono_literals;
using kube::ObjectKey;

RealClock& real_clock() {
  static RealClock clock;
  return clock;
}
Random& chance() {
  static Random random = Random::from_os();
  return random;
}
// Started when first asked for, ended with the program.
std::unique_ptr<testing::KubernetesServer>& the_server() {
  static std::unique_ptr<testing::KubernetesServer> server;
  return server;
}
testing::KubernetesServer& server() {
  if (the_server() == nullptr) the_server() = std::make_unique<testing::KubernetesServer>(real_clock());
  return *the_server();
}

bool is_night() { return std::getenv("FLYBALL_NIGHTLY") != nullptr; }  // NOLINT(concurrency-mt-unsafe): none sets it

// Against hangs only.
Stop soon() { return Stop().with_deadline(real_clock(), real_clock().after(60s)); }

// A request ends with its own stop, or with the road.
class Life {
 public:
  Life(const Stop& own, const Stop& road)
      : source_(own), own_(own), road_(road), end_(road, [this] { source_.request_stop("the road is cut"); }) {}
  Stop stop() const { return source_.stop(); }
  bool is_cut() const { return road_.stopped() && !own_.stopped(); }

 private:
  StopSource source_;
  Stop own_;
  Stop road_;
  StopCallback end_;
};

template <class Call>
auto alive(const Life& life, Call&& call) {
  try {
    return call();
  } catch (const Stopped&) {
    if (!life.is_cut()) throw;
    throw net::NetError(net::NetError::Kind::kReset, "the road is cut");
  }
}

// The road to the server, which can be cut: what is open breaks, and there is nothing new.
class Road final : public client::Transport {
 public:
  explicit Road(const client::Config& config) : http_(real_clock(), config) {}

  net::Response send(net::Request request, const Stop& stop) override {
    const auto life = open_life(stop);
    return alive(life, [&] { return http_.send(std::move(request), life.stop()); });
  }
  std::unique_ptr<client::BodyStream> open(net::Request request, const Stop& stop,
                                           const client::OpenOptions& options) override {
    const auto life = open_life(stop);
    return alive(life,
                 [&] { return std::make_unique<Stream>(*this, http_.open(std::move(request), life.stop(), options)); });
  }

  void cut() {
    const MutexLock lock(mutex_);
    now_.request_stop("the road is cut");
  }
  void mend() {
    const MutexLock lock(mutex_);
    now_ = StopSource();
  }

 private:
  class Stream final : public client::BodyStream {
   public:
    Stream(Road& road, std::unique_ptr<client::BodyStream> body) : road_(road.road()), body_(std::move(body)) {}
    const net::Response& head() const noexcept override { return body_->head(); }
    std::string read(const Stop& stop) override {
      const Life life(stop, road_);
      return alive(life, [&] { return body_->read(life.stop()); });
    }

   private:
    const Stop road_;
    const std::unique_ptr<client::BodyStream> body_;
  };

  Stop road() {
    const MutexLock lock(mutex_);
    return now_.stop();
  }
  Life open_life(const Stop& stop) { return {stop, road()}; }

  client::HttpTransport http_;
  Mutex mutex_;
  StopSource now_ FLYBALL_GUARDED_BY(mutex_);
};

std::string namespace_name(const std::string& more) {
  static std::atomic<int> count = 0;
  const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->name()).substr(0, 40);
  for (char& c : name) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? static_cast<char>(std::tolower(c)) : '-';
  }
  return "b" + std::to_string(++count) + "-" + name + more;
}

class RealWorld final : public World {
 public:
  RealWorld()
      : ns_(namespace_name("-x")),
        person_(
            Client::connect(server().config(), real_clock(), chance(), {.namespace_ = ns_, .field_manager = "person"})),
        road_(server().config()),
        log_(std::make_shared<LogCore>(real_clock(), sink_, LogCore::Options{.levels = "debug"}), "behaviour") {
    create_namespace(ns_);
  }
  ~RealWorld() override {
    stop();
    second_.reset();
  }
  RealWorld(const RealWorld&) = delete;
  RealWorld& operator=(const RealWorld&) = delete;

  void declare(const Setup& setup, WorldOptions options) override {
    namespaces_ = options.namespaces.empty() ? std::vector{ns_} : std::move(options.namespaces);
    leader_election_ = options.leader_election;
    operator_.emplace("operator");
    setup(*operator_);
    if (!options.install) return;
    for (const json::Value& definition : operator_->definitions()) install(definition);
  }

  void start() override {
    stop();
    ended_ = StopSource();
    client_.emplace(road_, real_clock(), chance(), client::ClientOptions{.field_manager = "operator", .log = log_});
    run_ = std::make_unique<OperatorRun>(*operator_, *client_, real_clock(), chance(), run_options("first", &metrics_));
    thread_ = std::make_unique<Thread>(real_clock(), "operator", [this] {
      try {
        run_->run(ended_.stop());
      } catch (const runtime::LeadershipLost& error) {
        const MutexLock lock(mutex_);
        first_ended_with_ = error.what();
      } catch (const std::exception& error) {
        ADD_FAILURE() << "the operator ended: " << error.what();
      }
    });
  }
  void stop() override {
    ended_.request_stop("the case ends");
    thread_.reset();
    run_.reset();
  }
  void start_second() override {
    const Client client =
        Client::connect(server().config(), real_clock(), chance(), {.field_manager = "operator", .log = log_});
    second_ = std::make_unique<Second>(*operator_, client, run_options("second", nullptr));
  }
  void end_first() override { stop(); }
  std::string first_ended_with() override {
    const MutexLock lock(mutex_);
    return first_ended_with_;
  }

  const Client& person() override { return person_; }
  const std::string& ns() const override { return ns_; }
  std::string make_namespace(const std::string& name) override {
    create_namespace(ns_ + "-" + name);
    return ns_ + "-" + name;
  }

  void install(const json::Value& definition) override {
    const auto definitions = person_.dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"});
    definitions.apply(definition, {.force = true});
    const ObjectKey key{"", std::string(definition["metadata"]["name"].as_string())};
    until("the kind is served", [&] {
      const json::Value stored = definitions.get(key);
      return std::ranges::any_of(stored["status"]["conditions"].items(), [](json::View condition) {
        return condition["type"].string_or("") == "Established" && condition["status"].string_or("") == "True";
      });
    });
    person_.mapper().forget();
  }

  void set_namespaces(std::vector<std::string> namespaces) override {
    run_->cache().set_namespaces(namespaces);
    namespaces_ = std::move(namespaces);
  }

  void settle() override {
    // Twice: between the cache and the queue there is a moment in which a change is in neither.
    int quiet = 0;
    until("the operator has seen and done everything", [&] {
      quiet = is_quiet() ? quiet + 1 : 0;
      return quiet == 2;
    });
  }
  void go_on(std::size_t /*steps*/) override {}
  void until(const std::string& what, const std::function<bool()>& is_so) override {
    const Stop stop = soon();
    while (!is_so()) {
      if (pause_until(real_clock(), real_clock().after(10ms), stop)) continue;
      throw Error("it never came to pass: " + what + "\n" + log_tail());
    }
  }

  void cut_off() override { road_.cut(); }
  void connect_again() override { road_.mend(); }
  void forget_the_past() override {
    // Now is later than what anybody has seen.
    person_.create(kube::core::v1::Secret{.metadata = {.generateName = "later-", .namespace_ = "default"}});
    server().compact(soon());
    server().restart(soon());
  }
  void server_down() override { server().kill_apiserver(); }
  void server_up() override { server().start_apiserver(soon()); }
  void wait(Duration time) override {
    if (is_night()) pause_until(real_clock(), real_clock().after(time), {});
  }

  OperatorRun& run() override { return *run_; }
  const Metrics& metrics() override { return metrics_; }

 private:
  // Another replica, with its own threads.
  class Second {
   public:
    Second(const Operator& op, const Client& client, runtime::OperatorRunOptions options)
        : run_(op, client, real_clock(), chance(), std::move(options)), thread_(real_clock(), "second", [this] {
            try {
              run_.run(ended_.stop());
            } catch (const std::exception& error) {
              ADD_FAILURE() << "the second replica ended: " << error.what();
            }
          }) {}
    ~Second() { ended_.request_stop("the case ends"); }
    Second(const Second&) = delete;
    Second& operator=(const Second&) = delete;

   private:
    StopSource ended_;
    OperatorRun run_;
    Thread thread_;
  };

  runtime::OperatorRunOptions run_options(const std::string& identity, Metrics* metrics) const {
    runtime::OperatorRunOptions options{
        .namespaces = namespaces_, .shutdown_timeout = 5s, .log = log_, .metrics = metrics};
    if (leader_election_) {
      options.leader_election = {.namespace_ = ns_, .name = "office", .identity = identity, .times = kLeaseTimes};
    }
    return options;
  }

  void create_namespace(const std::string& name) {
    person_.create(kube::core::v1::Namespace{.metadata = {.name = name}});
  }

  bool is_quiet() {
    if (!run_->is_synced()) return false;
    for (const auto& controller : run_->controllers()) {
      for (const runtime::Source& source : controller->spec().sources) {
        if (!knows_all(source.resource)) return false;
      }
    }
    return std::ranges::all_of(run_->controllers(), [](const auto& controller) {
      return controller->queue().ready() == 0 && controller->queue().running() == 0;
    });
  }
  // Whether the operator's cache has what the server has.
  bool knows_all(const client::Resource& resource) {
    using Versions = std::set<std::pair<ObjectKey, std::string>>;
    for (const cache::StoreStatus& store : run_->cache().status()) {
      const bool parked = std::ranges::any_of(store.watches, [](const auto& watch) { return watch.parked; });
      if (parked && store.resource.starts_with(resource.plural)) return true;
    }
    for (const std::string& name : namespaces_) {
      Versions there;
      Versions here;
      for (const auto& object : person_.metadata_at(resource).list({.namespace_ = name})) {
        there.emplace(ObjectKey{object.metadata.namespace_, object.metadata.name}, object.metadata.resourceVersion);
      }
      run_->cache().view().each(resource, {.namespace_ = name}, [&](const cache::Object& object) {
        here.emplace(object.key(), std::string(object.metadata().resource_version));
      });
      if (there != here) return false;
    }
    return true;
  }
  std::string log_tail() {
    constexpr std::size_t kMost = 6000;
    const std::string log = sink_.take();
    return log.size() > kMost ? log.substr(log.size() - kMost) : log;
  }

  const std::string ns_;
  const Client person_;
  Road road_;
  CapturingSink sink_;
  const Logger log_;
  Metrics metrics_;
  std::vector<std::string> namespaces_;
  bool leader_election_ = false;
  Mutex mutex_;
  std::string first_ended_with_ FLYBALL_GUARDED_BY(mutex_);
  std::optional<Operator> operator_;
  std::optional<Client> client_;
  std::unique_ptr<OperatorRun> run_;
  StopSource ended_;
  std::unique_ptr<Thread> thread_;
  std::unique_ptr<Second> second_;
};

}  // namespace

std::unique_ptr<World> make_world(std::optional<std::uint64_t> /*seed*/) { return std::make_unique<RealWorld>(); }
std::size_t tries_of_chance() { return is_night() ? 300 : 30; }

}  // namespace flyball::behaviour

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  try {
    const int result = RUN_ALL_TESTS();
    flyball::behaviour::the_server().reset();
    return result;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
