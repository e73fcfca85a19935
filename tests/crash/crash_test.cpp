// kill -9 in a storm of writes, through the real program and over HTTPS: what was acknowledged is there afterwards,
// what was on its way is there as a whole or not at all, and the revision only grows.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/process.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/client/load_config.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball {
namespace {

using namespace std::chrono_literals;

constexpr int kWriters = 4;
constexpr int kNames = 12;  // of each writer
constexpr const char* kPath = "/api/v1/namespaces/default/configmaps";

struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "flyball-crash-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error("cannot make " + name);
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path;
};

// An object as one write left it; nothing: it is not there.
struct Version {
  std::int64_t number = 0;    // of the write: it fills the whole object
  std::int64_t revision = 0;  // 0: not known, the answer never came
};
using State = std::optional<Version>;

// What one writer knows of one object.
struct Known {
  State settled = {};
  std::optional<State> pending = {};  // a write without an answer
};

// Every part of the object says which write it is from: half of one would show.
std::string body_of(const std::string& name, std::int64_t number) {
  const std::string text = std::to_string(number);
  std::string filling;
  while (filling.size() < 3000) filling += text + " ";
  return json::write(
      json::object({{"apiVersion", "v1"},
                    {"kind", "ConfigMap"},
                    {"metadata", json::object({{"name", name}, {"labels", json::object({{"write", text}})}})},
                    {"data", json::object({{"first", text}, {"filling", std::move(filling)}, {"last", text}})}}));
}

std::int64_t revision_of(json::View object) {
  return std::stoll(std::string(object["metadata"]["resourceVersion"].as_string()));
}

// The version an object is, or a failed test.
Version version_of(json::View object) {
  const std::string name(object["metadata"]["name"].as_string());
  const std::string text(object["data"]["first"].string_or("0"));
  const json::Value whole = json::parse(body_of(name, std::stoll(text)));
  EXPECT_EQ(object["data"], whole["data"]) << "half a write: " << name;
  EXPECT_EQ(object["metadata"]["labels"], whole["metadata"]["labels"]) << "half a write: " << name;
  return {.number = std::stoll(text), .revision = revision_of(object)};
}

// One run of `flyball dev`, from ready to killed.
class DevServer {
 public:
  DevServer(Clock& clock, const std::string& folder)
      : clock_(clock),
        process_(clock,
                 {FLYBALL_COMMAND, "dev", "--quiet", "--bare", "--port=0", "--data-dir=" + folder + "/data",
                  "--kubeconfig=" + folder + "/kubeconfig"},
                 {.out = Redirect::to_pipe()}),
        folder_(folder) {}

  void wait_until_ready() {
    if (process_.read(soon()).empty()) throw Error("flyball dev did not start");
  }
  std::unique_ptr<client::Transport> connect() {
    return std::make_unique<client::HttpTransport>(
        clock_, client::load_config(clock_, {.kubeconfig = folder_ + "/kubeconfig"}));
  }
  void kill() {
    process_.signal(SIGKILL);
    process_.wait(soon());
  }
  Stop soon() { return Stop().with_deadline(clock_, clock_.after(60s)); }

 private:
  Clock& clock_;
  Process process_;
  const std::string folder_;
};

// What everybody has been told.
class Ledger {
 public:
  void acknowledge(std::int64_t revision) {
    const MutexLock lock(mutex_);
    EXPECT_TRUE(revisions_.insert(revision).second) << "revision " << revision << " was given twice";
    EXPECT_GT(revision, begin_) << "the revision went back";
    count_.fetch_add(1);
    count_.notify_all();
  }
  // A new run begins with the store at `revision`.
  void begin(std::int64_t revision) {
    const MutexLock lock(mutex_);
    EXPECT_GE(revision, begin_);
    EXPECT_GE(revision, revisions_.empty() ? 0 : *revisions_.rbegin()) << "an acknowledged revision is lost";
    begin_ = revision;
  }
  void writer_ended() {
    running_.fetch_sub(1);
    count_.fetch_add(1);
    count_.notify_all();
  }
  void wait_for(int writes) {
    const int goal = count_.load() + writes;
    for (int now = count_.load(); now < goal && running_.load() > 0; now = count_.load()) count_.wait(now);
  }
  void writers_begin(int writers) { running_ = writers; }
  std::size_t writes() const {
    const MutexLock lock(mutex_);
    return revisions_.size();
  }

 private:
  mutable Mutex mutex_;
  std::set<std::int64_t> revisions_ FLYBALL_GUARDED_BY(mutex_);
  std::int64_t begin_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::atomic<int> count_ = 0;
  std::atomic<int> running_ = 0;
};

class Writer {
 public:
  Writer(int index, Ledger& ledger, Random random)
      : prefix_("w" + std::to_string(index) + "-"), ledger_(ledger), random_(std::move(random)) {}

  // Until the server is gone.
  void storm(client::Transport& transport, const Stop& stop) {
    try {
      while (true) write(transport, stop);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the answer never came; `pending` says what it was to
    }
    ledger_.writer_ended();
  }

  // Compares what is there with what this writer knows, and settles what was open.
  void check(const std::map<std::string, Version>& found) {
    for (auto& [name, known] : objects_) {
      const auto at = found.find(name);
      const State now = at == found.end() ? State() : State(at->second);
      const bool as_settled = same(now, known.settled);
      const bool as_pending = known.pending && same(now, *known.pending);
      EXPECT_TRUE(as_settled || as_pending)
          << name << " is " << text(now) << " and was acknowledged as " << text(known.settled);
      known = {.settled = now};
    }
    for (const auto& [name, version] : found) {
      EXPECT_TRUE(!name.starts_with(prefix_) || objects_.contains(name)) << name << " came from nowhere";
    }
  }

 private:
  static bool same(const State& found, const State& expected) {
    if (!found || !expected) return !found && !expected;
    return found->number == expected->number && (expected->revision == 0 || found->revision == expected->revision);
  }
  static std::string text(const State& state) {
    if (!state) return "absent";
    return "write " + std::to_string(state->number) + " at " + std::to_string(state->revision);
  }

  void write(client::Transport& transport, const Stop& stop) {
    const std::string name = prefix_ + std::to_string(random_.below(kNames));
    Known& known = objects_[name];
    const bool erase = known.settled && random_.chance(0.2);
    const std::int64_t number = ++number_;
    net::Request request{.method = erase           ? "DELETE"
                                   : known.settled ? random_.chance(0.5) ? "PUT" : "PATCH"
                                                   : "POST",
                         .target = known.settled ? std::string(kPath) + "/" + name : kPath};
    request.headers.add("Content-Type",
                        request.method == "PATCH" ? "application/merge-patch+json" : "application/json");
    if (!erase) request.body = body_of(name, number);
    known.pending = erase ? State() : State(Version{.number = number});
    const net::Response response = transport.send(std::move(request), stop);
    EXPECT_TRUE(response.status == 200 || response.status == 201) << response.body;
    if (response.status > 201) return;
    // DELETE answers with a Status: its revision is not told.
    if (!erase) {
      known.settled = version_of(json::parse(response.body));
      EXPECT_EQ(known.settled->number, number);
      EXPECT_GT(known.settled->revision, last_) << "the revision went back";
      last_ = known.settled->revision;
      ledger_.acknowledge(last_);
    } else {
      known.settled.reset();
    }
    known.pending.reset();
  }

  const std::string prefix_;
  Ledger& ledger_;
  Random random_;
  std::map<std::string, Known> objects_;
  std::int64_t number_ = 0;
  std::int64_t last_ = 0;
};

std::map<std::string, Version> everything(client::Transport& transport, Ledger& ledger, const Stop& stop) {
  const net::Response response = transport.send({.method = "GET", .target = kPath}, stop);
  EXPECT_EQ(response.status, 200) << response.body;
  const json::Value list = json::parse(response.body);
  ledger.begin(revision_of(list));
  std::map<std::string, Version> found;
  for (const json::View item : list["items"].items()) {
    found[std::string(item["metadata"]["name"].as_string())] = version_of(item);
  }
  return found;
}

TEST(KillNine, loses_nothing_that_was_acknowledged_and_leaves_nothing_half_written) {
  const int rounds = std::getenv("FLYBALL_NIGHTLY") != nullptr ? 200 : 40;  // NOLINT(concurrency-mt-unsafe)
  const std::uint64_t seed = Random::os_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RealClock clock;
  Random random(seed);
  const Folder folder;
  Ledger ledger;
  std::vector<std::unique_ptr<Writer>> writers;
  for (int i = 0; i < kWriters; ++i) writers.push_back(std::make_unique<Writer>(i, ledger, random.fork()));

  for (int round = 0; round <= rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    if (random.chance(0.1)) DevServer(clock, folder.path).kill();  // as it starts
    DevServer server(clock, folder.path);
    server.wait_until_ready();
    const auto reader = server.connect();
    const auto found = everything(*reader, ledger, server.soon());
    for (const auto& writer : writers) writer->check(found);
    if (round == rounds) break;

    ledger.writers_begin(kWriters);
    std::vector<std::unique_ptr<client::Transport>> transports;
    std::vector<std::unique_ptr<Thread>> threads;
    for (const auto& writer : writers) {
      client::Transport& transport = *transports.emplace_back(server.connect());
      threads.push_back(std::make_unique<Thread>(clock, "writer", [&] { writer->storm(transport, server.soon()); }));
    }
    ledger.wait_for(static_cast<int>(random.between(1, 250)));
    server.kill();
  }
  RecordProperty("acknowledged", std::to_string(ledger.writes()));
  std::printf("%d rounds, %zu acknowledged writes\n", rounds, ledger.writes());
}

}  // namespace
}  // namespace flyball
