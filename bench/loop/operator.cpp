// A program with one controller that changes nothing, for bench/loop_run to look at from outside.
//
//   loop_operator URL CONCURRENCY       reconciles every Pod, and answers on standard input:
//
//   begin       forgets what was measured
//   behind      Pods whose version in the cache is not the one that the last pass over them saw, Pods, and the version
//               that the watch has come to
//   report      of passes since `begin`: microseconds from the server to the pass (median, 99th of a hundred), passes,
//               and passes in a second, from the first thing that was sent or woken to the last pass
//   wake        wakes every Pod once; how many
#include "flyball/runtime/operator.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "corpus/corpus.hpp"

#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/runtime/context.hpp"
#include "flyball/runtime/operator_run.hpp"

namespace bench {
namespace {

using flyball::MutexLock;
using flyball::cache::Object;
using flyball::kube::core::v1::Pod;

std::int64_t now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

// Nanoseconds of the moment at which the server sent it; 0 for what was there at its start.
std::int64_t stamp_of(const Pod& pod) {
  static const std::string key(kStampKey);
  const auto found = pod.metadata.annotations.find(key);
  std::int64_t stamp = 0;
  if (found == pod.metadata.annotations.end()) return 0;
  (void)std::from_chars(found->second.data(), found->second.data() + found->second.size(), stamp);
  return stamp;
}

class Passes {
 public:
  void begin() {
    const MutexLock lock(mutex_);
    late_.clear();
    began_ = now();
    first_ = last_ = 0;
  }
  void over(const Pod& pod) {
    const std::int64_t at = now();
    const std::int64_t sent = stamp_of(pod);
    const MutexLock lock(mutex_);
    seen_[pod.metadata.uid] = pod.metadata.resourceVersion;
    // What was woken, not sent, counts from `begin`.
    const std::int64_t from = std::max(sent, began_);
    first_ = first_ == 0 ? from : std::min(first_, from);
    last_ = at;
    late_.push_back(static_cast<double>(at - from) / 1000);
  }
  bool has_seen(std::string_view uid, std::string_view version) {
    const MutexLock lock(mutex_);
    const auto found = seen_.find(std::string(uid));
    return found != seen_.end() && found->second == version;
  }
  void report() {
    const MutexLock lock(mutex_);
    std::ranges::sort(late_);
    const std::size_t count = late_.size();
    const double middle = count == 0 ? 0 : late_[count / 2];
    const double most = count == 0 ? 0 : late_[count * 99 / 100];
    const auto took = static_cast<double>(std::max<std::int64_t>(1, last_ - first_));
    std::cout << middle << " " << most << " " << count << " " << static_cast<double>(count) * 1e9 / took << std::endl;
  }

 private:
  flyball::Mutex mutex_;
  std::unordered_map<std::string, std::string> seen_ FLYBALL_GUARDED_BY(mutex_);
  std::vector<double> late_ FLYBALL_GUARDED_BY(mutex_);
  std::int64_t began_ FLYBALL_GUARDED_BY(mutex_) = now();
  std::int64_t first_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::int64_t last_ FLYBALL_GUARDED_BY(mutex_) = 0;
};

class Program {
 public:
  Program(const std::string& url, std::uint32_t concurrency)
      : transport_(clock_, {.server = flyball::net::Url::parse(url)}),
        client_(transport_, clock_, random_),
        trigger_(op_.reconcile<Pod>([this](flyball::Context&, Pod& pod) { passes_.over(pod); }).trigger()),
        run_(op_, client_, clock_, random_, {.concurrency = concurrency}),
        thread_(clock_, "operator", [this] { run_.run(stop_.stop()); }) {}
  ~Program() { stop_.request_stop("the end"); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void answer(const std::string& what) {
    if (what == "begin") {
      passes_.begin();
      std::cout << "begun" << std::endl;
    }
    if (what == "behind") behind();
    if (what == "report") passes_.report();
    if (what == "wake") wake();
  }

 private:
  template <class Use>
  void each(Use use) {
    if (!run_.is_synced()) return;
    run_.cache().view().each(flyball::client::resource_of<Pod>(), {}, use);
  }
  void behind() {
    std::size_t behind = 0;
    std::size_t count = 0;
    each([&](const Object& object) {
      ++count;
      if (!passes_.has_seen(object.metadata().uid, object.metadata().resource_version)) ++behind;
    });
    const auto watches = run_.cache().reflectors();
    const std::string position = watches.empty() ? "" : watches.front()->position();
    std::cout << behind << " " << count << " " << (position.empty() ? "0" : position) << std::endl;
  }
  void wake() {
    std::vector<flyball::kube::ObjectKey> keys;
    each([&](const Object& object) { keys.push_back(object.key()); });
    passes_.begin();
    for (const auto& key : keys) trigger_.fire(key);
    std::cout << keys.size() << std::endl;
  }

  flyball::RealClock clock_;
  flyball::Random random_{1};
  flyball::client::HttpTransport transport_;
  flyball::Client client_;
  Passes passes_;
  flyball::Operator op_{"loop-operator"};
  flyball::runtime::Trigger trigger_;
  flyball::OperatorRun run_;
  flyball::StopSource stop_;
  flyball::Thread thread_;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: loop_operator URL CONCURRENCY\n";
    return 2;
  }
  bench::Program program(argv[1], static_cast<std::uint32_t>(std::stoul(argv[2])));
  for (std::string line; std::getline(std::cin, line);) program.answer(line);
} catch (const std::exception& error) {
  std::cerr << "loop_operator: " << error.what() << "\n";
  return 1;
}
