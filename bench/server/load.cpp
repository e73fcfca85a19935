// The load of bench/server_run: the same requests against whichever server the kubeconfig names.
//
//   server_load KUBECONFIG POD.json create FIRST COUNT CONNECTIONS json|protobuf   Pods number FIRST and on
//   server_load KUBECONFIG POD.json status FIRST COUNT CONNECTIONS                 patches their status
//   server_load KUBECONFIG POD.json list COUNT json|protobuf TIMES                 all Pods in one answer
//   server_load KUBECONFIG POD.json latency FIRST COUNT                            from sending a create to its event
//   server_load KUBECONFIG POD.json fanout FIRST COUNT WATCHERS                    each create to every watcher
//   server_load KUBECONFIG POD.json ready 1                                        asks once whether it is
//   server_load KUBECONFIG POD.json dump COUNT                                     the first Pods, as JSON
//
// Prints lines `name figure`. Bodies are made before the clock runs and answers are not decoded: what is measured is
// the server, the connection and as little as possible of us.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <latch>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/client/load_config.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace {

using namespace flyball;
using kube::core::v1::Pod;
using Time = std::chrono::steady_clock::time_point;

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";

Time now() { return std::chrono::steady_clock::now(); }
double seconds(Time from, Time to) { return std::chrono::duration<double>(to - from).count(); }
void print(const char* name, double figure) { std::printf("%s %.9g\n", name, figure); }

std::string_view format(std::string_view word) {
  if (word == "json") return kJson;
  if (word == "protobuf") return kProtobuf;
  throw Error("expected json or protobuf, found " + std::string(word));
}

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw Error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What a controller would send: the spec, and no more metadata than its own.
Pod new_pod(const std::string& text) {
  auto pod = reflect::decode<Pod>(text);
  pod.metadata = {.namespace_ = "default",
                  .labels = pod.metadata.labels,
                  .annotations = pod.metadata.annotations,
                  .ownerReferences = pod.metadata.ownerReferences};
  pod.status = {};
  return pod;
}

class Load {
 public:
  Load(const std::string& kubeconfig, const std::string& pod_file)
      : transport_(clock_, client::load_config(clock_, {.kubeconfig = kubeconfig}), {.kept_connections = 64}),
        pod_(new_pod(read_file(pod_file))),
        status_(json::write(json::parse(read_file(pod_file))["status"])) {}

  void create(std::size_t first, std::size_t count, std::size_t connections, std::string_view type) {
    send_all(creates(first, count, type), connections, 201);
  }

  // As a kubelet reports.
  void patch_status(std::size_t first, std::size_t count, std::size_t connections) {
    std::vector<net::Request> requests(count);
    for (std::size_t i = 0; i < count; ++i) {
      net::Request& request = requests[i];
      request.method = "PATCH";
      request.target = std::string(kPods) + "/" + name_of(first + i) + "/status?fieldManager=kubelet";
      request.headers.set("Content-Type", "application/strategic-merge-patch+json");
      request.headers.set("Accept", std::string(kProtobuf));
      request.body = R"({"status":)" + status_ + "}";
    }
    send_all(requests, connections, 200);
  }

  void send_all(const std::vector<net::Request>& requests, std::size_t connections, int status) {
    const std::size_t count = requests.size();
    // Shake hands before the clock runs.
    std::latch ready(static_cast<std::ptrdiff_t>(connections) + 1);
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    threads.reserve(connections);
    for (std::size_t i = 0; i < connections; ++i) {
      threads.emplace_back([&] {
        guarded([&] {
          send({.target = "/version"}, 200);
          ready.arrive_and_wait();
          for (std::size_t at = next++; at < count; at = next++) send(requests[at], status);
        });
      });
    }
    ready.arrive_and_wait();
    const Time began = now();
    threads.clear();
    print("seconds", seconds(began, now()));
  }

  void list(std::size_t count, std::string_view type, std::size_t times) {
    double least = 1e9;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < times; ++i) {
      net::Request request{.target = std::string(kPods)};
      request.headers.set("Accept", std::string(type));
      const Time began = now();
      const auto stream = transport_.open(std::move(request), {});
      if (stream->head().status != 200) throw Error("list: " + std::to_string(stream->head().status));
      bytes = 0;
      std::size_t found = 0;
      for (std::string piece; !(piece = stream->read({})).empty(); bytes += piece.size()) {
        found += static_cast<std::size_t>(std::ranges::count(piece, '\0'));  // touch what was read
      }
      least = std::min(least, seconds(began, now()));
      if (bytes < count * 1000 || found > bytes) throw Error("list: only " + std::to_string(bytes) + " bytes");
    }
    print("seconds", least);
    print("bytes", static_cast<double>(bytes));
  }

  void latency(std::size_t first, std::size_t count) {
    const std::vector<net::Request> requests = creates(first, count, kProtobuf);
    const auto stream = watch();
    send({.target = "/version"}, 200);
    std::vector<Time> seen(count);
    std::atomic<std::size_t> events = 0;
    const std::jthread watcher([&] {
      guarded([&] {
        for (std::size_t i = 0; i < count; ++i) {
          wait_for_events(*stream, 1);
          seen[i] = now();
          events = i + 1;
          events.notify_one();
        }
      });
    });
    std::vector<double> took;
    for (std::size_t i = 0; i < count; ++i) {
      const Time began = now();
      send(requests[i], 201);
      while (events <= i) events.wait(i);
      took.push_back(seconds(began, seen[i]));
    }
    std::ranges::sort(took);
    print("median", took[took.size() / 2]);
    print("p99", took[took.size() * 99 / 100]);
  }

  void fan_out(std::size_t first, std::size_t count, std::size_t watchers) {
    const std::vector<net::Request> requests = creates(first, count, kProtobuf);
    std::latch ready(static_cast<std::ptrdiff_t>(watchers) + 1);
    const std::string revision = latest();
    std::vector<std::jthread> threads;
    threads.reserve(watchers);
    for (std::size_t i = 0; i < watchers; ++i) {
      threads.emplace_back([&] {
        guarded([&] {
          const auto stream = watch(revision);
          ready.arrive_and_wait();
          wait_for_events(*stream, count);
        });
      });
    }
    ready.arrive_and_wait();
    const Time began = now();
    for (const net::Request& request : requests) send(request, 201);
    threads.clear();
    print("seconds", seconds(began, now()));
  }

  void ready() { send({.target = "/readyz"}, 200); }

  void dump(std::size_t count) {
    const net::Response answer = send({.target = std::string(kPods) + "?limit=" + std::to_string(count)}, 200);
    std::fwrite(answer.body.data(), 1, answer.body.size(), stdout);
  }

 private:
  // A thread that cannot go on ends the program: there is no figure then.
  template <class Work>
  static void guarded(const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "server_load: %s\n", error.what());
      std::_Exit(1);
    }
  }

  net::Response send(net::Request request, int status) {
    net::Response answer = transport_.send(std::move(request), {});
    if (answer.status == status) return answer;
    throw Error("the server answers " + std::to_string(answer.status) + ": " + answer.body.substr(0, 1000));
  }

  static std::string name_of(std::size_t number) { return "checkout-" + std::to_string(1'000'000 + number); }

  std::vector<net::Request> creates(std::size_t first, std::size_t count, std::string_view type) {
    std::vector<net::Request> requests(count);
    for (std::size_t i = 0; i < count; ++i) {
      pod_.metadata.name = name_of(first + i);
      net::Request& request = requests[i];
      request.method = "POST";
      request.target = std::string(kPods) + "?fieldManager=bench";
      request.headers.set("Content-Type", std::string(type));
      request.headers.set("Accept", std::string(type));
      request.body = type == kJson ? reflect::encode(pod_) : kube::to_protobuf(pod_);
    }
    return requests;
  }

  std::string latest() {
    const net::Response answer = send({.target = std::string(kPods) + "?limit=1"}, 200);
    return std::string(json::parse(answer.body)["metadata"]["resourceVersion"].as_string());
  }

  std::unique_ptr<client::BodyStream> watch() { return watch(latest()); }
  std::unique_ptr<client::BodyStream> watch(const std::string& revision) {
    net::Request request{.target = std::string(kPods) + "?watch=true&resourceVersion=" + revision};
    request.headers.set("Accept", std::string(kJson));
    auto stream = transport_.open(std::move(request), {});
    if (stream->head().status != 200) throw Error("watch: " + std::to_string(stream->head().status));
    return stream;
  }

  // In JSON each event is a line.
  static void wait_for_events(client::BodyStream& stream, std::size_t count) {
    for (std::size_t seen = 0; seen < count;) {
      const std::string piece = stream.read({});
      if (piece.empty()) throw Error("the watch ended");
      seen += static_cast<std::size_t>(std::ranges::count(piece, '\n'));
    }
  }

  RealClock clock_;
  client::HttpTransport transport_;
  Pod pod_;
  const std::string status_;
};

std::size_t number(const char* text) { return static_cast<std::size_t>(std::strtoull(text, nullptr, 10)); }

bool run(int argc, char** argv) {
  if (argc < 5) return false;
  const std::string_view what = argv[3];
  Load load(argv[1], argv[2]);
  if (what == "create" && argc == 8) {
    load.create(number(argv[4]), number(argv[5]), number(argv[6]), format(argv[7]));
  } else if (what == "status" && argc == 7) {
    load.patch_status(number(argv[4]), number(argv[5]), number(argv[6]));
  } else if (what == "list" && argc == 7) {
    load.list(number(argv[4]), format(argv[5]), number(argv[6]));
  } else if (what == "latency" && argc == 6) {
    load.latency(number(argv[4]), number(argv[5]));
  } else if (what == "fanout" && argc == 7) {
    load.fan_out(number(argv[4]), number(argv[5]), number(argv[6]));
  } else if (what == "ready") {
    load.ready();
  } else if (what == "dump") {
    load.dump(number(argv[4]));
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (run(argc, argv)) return 0;
    std::cerr << "usage: server_load KUBECONFIG POD.json create|status|list|latency|fanout|ready|dump …; load.cpp says "
                 "the rest\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "server_load: " << error.what() << "\n";
    return 1;
  }
}
