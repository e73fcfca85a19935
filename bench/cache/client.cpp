// A program that does nothing but keep a cache, for bench/cache_run to look at from outside.
//
//   cache_client URL CORPUS [json]      watches everything, and answers on standard input:
//
//   sync        waits; seconds since the start
//   digest      of the bytes of every object, and their number
//   lists N     N lists by a label that ten objects have; microseconds for one: typed, of keys, of metadata
//   gets N      N reads of one object, typed; microseconds for one
//   events N    "ready"; then, when N events have come: microseconds from the server to a listener (median, 99th of
//               a hundred), and events in a second
//   bytes       what the cache says it takes
#include "flyball/client/client.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <future>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "corpus/digest.hpp"

#include "flyball/base/clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/cache/cache.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/kube/core/v1.hpp"

namespace bench {
namespace {

using flyball::cache::Cache;
using flyball::cache::Change;
using flyball::cache::Object;
using flyball::kube::core::v1::Pod;
using Steady = std::chrono::steady_clock;

double micros_since(Steady::time_point begin) {
  return std::chrono::duration<double, std::micro>(Steady::now() - begin).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

class Program {
 public:
  Program(const std::string& url, const std::string& corpus, bool json)
      : transport_(clock_, {.server = flyball::net::Url::parse(url)}),
        client_(transport_, clock_, random_, {.protobuf = !json}),
        cache_(client_),
        resource_(resource_of_corpus(corpus)) {
    if (json) resource_.protobuf = false;
    watching_ = cache_.watch(resource_);
  }

  void answer(const std::string& line) {
    std::istringstream words(line);
    std::string what;
    std::size_t count = 0;
    words >> what >> count;
    if (what == "sync") sync();
    if (what == "digest") digest();
    if (what == "lists") lists(count);
    if (what == "gets") gets(count);
    if (what == "events") events(count);
    if (what == "bytes") std::cout << watching_.store().bytes() << " " << watching_.store().count() << std::endl;
  }

 private:
  void sync() {
    watching_.wait_for_sync({});
    std::cout << micros_since(began_) / 1e6 << std::endl;
  }

  // One after the other, as a listener hears of them: the look leaves no trace in what is looked at.
  void digest() {
    ContentDigest digest;
    std::size_t count = 0;
    (void)cache_.subscribe(resource_, {}, [&](const Change& change) {
      digest.add(change.object().bytes());
      ++count;
    });
    std::cout << digest.text() << " " << count << std::endl;
  }

  // Values of a label that ten objects have.
  std::vector<std::string> tens(const std::string& label) const {
    std::map<std::string, int> counts;
    watching_.store().snapshot().each({}, [&](const Object& object) {
      if (const auto value = object.metadata().label(label)) ++counts[std::string(*value)];
    });
    std::vector<std::string> values;
    for (const auto& [value, count] : counts) {
      if (count == 10) values.push_back(value);
    }
    return values;
  }

  void lists(std::size_t count) const {
    const bool pods = resource_.kind.kind == "Pod";
    const std::string label = pods ? "pod-template-hash" : "shard";
    const std::vector<std::string> values = tens(label);
    std::vector<double> typed;
    std::vector<double> keys;
    std::vector<double> metadata;
    std::size_t found = 0;
    for (std::size_t i = 0; !values.empty() && i < count; ++i) {
      const flyball::cache::Query query{.labels = {{label, values[i * 7919 % values.size()]}}};
      auto begin = Steady::now();
      found += pods ? cache_.list<Pod>(query).size() : 0;
      typed.push_back(micros_since(begin));
      begin = Steady::now();
      found += watching_.store().snapshot().keys(query).size();
      keys.push_back(micros_since(begin));
      begin = Steady::now();
      watching_.store().snapshot().each(query, [&](const Object& object) { found += object.metadata().name.size(); });
      metadata.push_back(micros_since(begin));
    }
    std::cout << median(typed) << " " << median(keys) << " " << median(metadata) << " " << found << std::endl;
  }

  // Nanoseconds of the moment at which the server sent it; 0 for what was there at its start.
  static std::int64_t stamp_of(std::string_view bytes) {
    const std::size_t at = bytes.find(kStampKey);
    if (at == std::string_view::npos) return 0;
    // Between key and value lie a few bytes of either format.
    const std::size_t digits = bytes.find_first_of("0123456789", at + kStampKey.size());
    std::int64_t stamp = 0;
    (void)std::from_chars(bytes.data() + digits, bytes.data() + digits + kNoStamp.size(), stamp);
    return stamp;
  }

  void events(std::size_t count) {
    std::vector<double> late;
    late.reserve(count);
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::promise<void> all;
    std::atomic<bool> listening = false;  // what is there already comes first, on this thread
    const auto watching = cache_.subscribe(resource_, {}, [&](const Change& change) {
      if (!listening || change.type() == Change::Type::deleted || late.size() == count) return;
      const std::int64_t now = Steady::now().time_since_epoch().count();
      const std::int64_t sent = stamp_of(change.object().bytes());
      if (first == 0) first = sent;
      last = now;
      late.push_back(static_cast<double>(now - sent) / 1000);
      if (late.size() == count) all.set_value();
    });
    listening = true;
    std::cout << "ready" << std::endl;
    all.get_future().wait();
    const double middle = median(late);
    std::ranges::sort(late);
    std::cout << middle << " " << late[late.size() * 99 / 100] << " "
              << static_cast<double>(count) * 1e9 / static_cast<double>(last - first) << std::endl;
  }

  void gets(std::size_t count) {
    const auto keys = watching_.store().snapshot().keys({});
    std::vector<double> typed;
    std::vector<double> raw;
    for (std::size_t i = 0; !keys.empty() && i < count; ++i) {
      const auto& key = keys[random_.below(keys.size())];
      auto begin = Steady::now();
      const auto object = cache_.find(resource_, key);
      raw.push_back(micros_since(begin));
      if (resource_.kind.kind != "Pod") continue;
      begin = Steady::now();
      (void)cache_.find<Pod>(key);
      typed.push_back(micros_since(begin));
    }
    std::cout << median(typed) << " " << median(raw) << std::endl;
  }

  const Steady::time_point began_ = Steady::now();
  flyball::RealClock clock_;
  flyball::Random random_{1};
  flyball::client::HttpTransport transport_;
  flyball::Client client_;
  Cache cache_;
  flyball::client::Resource resource_;
  flyball::cache::Watching watching_;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  if (argc < 3) {
    std::cerr << "usage: cache_client URL CORPUS [json]\n";
    return 2;
  }
  bench::Program program(argv[1], argv[2], argc > 3 && std::string_view(argv[3]) == "json");
  for (std::string line; std::getline(std::cin, line);) program.answer(line);
} catch (const std::exception& error) {
  std::cerr << "cache_client: " << error.what() << "\n";
  return 1;
}
