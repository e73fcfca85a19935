// Watches over real sockets, through a proxy that breaks their connections in every way it knows. What is shown: the
// consumer sees every change once and in order, whatever happens, and its copy is the server's state at the end. Each
// test has a deadline that a hang would run into; none waits for it.
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/client/detail/event_log_server_for_test.hpp"
#include "flyball/client/detail/fault_proxy_for_test.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/client/watch.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::client {
namespace {

using namespace std::chrono_literals;
using detail::EventLogServer;
using Kind = WatchEvent::Kind;

// What an informer would keep, and whether the watch kept its promises.
struct Copy {
  std::map<std::string, std::size_t> objects = {};
  std::set<std::string> marked = {};
  std::vector<EventLogServer::Entry> changes = {};  // outside of resyncs
  std::size_t version = 0;
  int resyncs = 0;
  bool syncing = false;

  void take(const WatchEvent& event) {
    const std::string name(event.metadata.name);
    const std::size_t at = event.resource_version.empty() ? 0 : std::stoul(std::string(event.resource_version));
    switch (event.kind) {
      case Kind::resync_begin:
        syncing = true;
        marked.clear();
        ++resyncs;
        return;
      case Kind::synced:
        std::erase_if(objects, [&](const auto& entry) { return !marked.contains(entry.first); });
        syncing = false;
        version = at;
        return;
      case Kind::bookmark: EXPECT_GE(at, version); return;
      case Kind::deleted: objects.erase(name); break;
      case Kind::added:
      case Kind::modified:
        objects[name] = at;
        marked.insert(name);
        break;
    }
    if (syncing) return;
    EXPECT_GT(at, version) << "a change came twice";
    version = at;
    changes.push_back({event.kind == Kind::deleted ? "DELETED"
                       : event.kind == Kind::added ? "ADDED"
                                                   : "MODIFIED",
                       name});
  }
};

class WatchFaults : public testing::Test {
 public:
  Stop deadline() { return Stop().with_deadline(clock, clock.after(60s)); }

  HttpTransport transport_to(std::uint16_t port) {
    return {clock, {.server = net::Url::parse("http://127.0.0.1:" + std::to_string(port))}};
  }
  Watch watch(Transport& transport, WatchOptions options = {}) {
    options.resource = resource_of<kube::core::v1::ConfigMap>();
    options.idle_timeout = 300ms;
    options.first_pause = 1ms;
    options.longest_pause = 10ms;
    return {transport, clock, random, std::move(options)};
  }
  // Creates, changes and deletes twenty objects, in an order that is always the same.
  static void write(EventLogServer& server, int count, Random& random) {
    for (int i = 0; i < count; ++i) {
      const std::string name = "object-" + std::to_string(random.below(20));
      const bool there = server.state().contains(name);
      server.write(!there ? "ADDED" : random.chance(0.3) ? "DELETED" : "MODIFIED", name);
    }
  }
  // Until the copy has seen everything; false at the deadline.
  static bool follow(Watch& watch, Copy& copy, const EventLogServer& server, const Stop& stop) {
    while (copy.syncing || copy.version < server.log().size()) {
      const WatchEvent* event = watch.next(stop);
      if (event == nullptr) return false;
      copy.take(*event);
    }
    return true;
  }

  RealClock clock;
  Random random{11};
};

class EveryFault : public WatchFaults, public testing::WithParamInterface<Fault::Kind> {};

TEST_P(EveryFault, LosesNoChangeAndDoublesNone) {
  EventLogServer server(clock);
  FaultProxy proxy(clock, server.port());
  HttpTransport transport = transport_to(proxy.port());
  Watch watch = this->watch(transport, {.resource_version = "0"});
  Copy copy;
  // At every place of the first bytes: in the head, between chunks, in the middle of events.
  std::deque<Fault> plan;
  const bool slow = GetParam() == Fault::Kind::half_open || GetParam() == Fault::Kind::drip;
  for (std::size_t after = 0; after < 1500; after += slow ? 400 : 61) plan.push_back({GetParam(), after});
  proxy.plan(std::move(plan));
  Random choice(5);
  while (proxy.planned() > 0) {
    write(server, 10, choice);
    ASSERT_TRUE(follow(watch, copy, server, deadline())) << watch.status().trouble;
    // Bookmarks bring the connection to where its fault is.
    const std::size_t planned = proxy.planned();
    while (planned > 0 && proxy.planned() == planned) {
      const WatchEvent* event = watch.next(deadline());
      ASSERT_NE(event, nullptr);
      copy.take(*event);
    }
  }
  write(server, 10, choice);
  ASSERT_TRUE(follow(watch, copy, server, deadline()));
  EXPECT_EQ(copy.resyncs, 0);
  EXPECT_EQ(copy.changes, server.log());
  EXPECT_EQ(copy.objects, server.state());
}

TEST_P(EveryFault, WhileThePresentStateComesIsHealed) {
  for (const bool watch_list : {true, false}) {
    EventLogServer server(clock, {.watch_list = watch_list});
    Random choice(5);
    write(server, 200, choice);
    FaultProxy proxy(clock, server.port());
    HttpTransport transport = transport_to(proxy.port());
    Watch watch = this->watch(transport, {.watch_list = watch_list, .page_size = 4});
    proxy.plan({{GetParam(), 10}, {GetParam(), 300}, {GetParam(), 900}, {GetParam(), 1700}});
    Copy copy;
    ASSERT_TRUE(follow(watch, copy, server, deadline())) << watch.status().trouble;
    write(server, 50, choice);
    ASSERT_TRUE(follow(watch, copy, server, deadline())) << watch.status().trouble;
    EXPECT_EQ(copy.objects, server.state());
  }
}

std::string name_of(const testing::TestParamInfo<Fault::Kind>& fault) {
  const std::array<std::string, 6> names = {"None", "Reset", "EndOfStream", "HalfOpen", "SlowLoris", "Garbage"};
  return names.at(static_cast<std::size_t>(fault.param));
}

INSTANTIATE_TEST_SUITE_P(Watch, EveryFault,
                         testing::Values(Fault::Kind::reset, Fault::Kind::end, Fault::Kind::half_open,
                                         Fault::Kind::drip, Fault::Kind::garbage),
                         name_of);

TEST_F(WatchFaults, AMixOfFaultsWhileTheServerIsWrittenTo) {
  EventLogServer server(clock);
  FaultProxy proxy(clock, server.port());
  HttpTransport transport = transport_to(proxy.port());
  std::deque<Fault> plan;
  for (int i = 0; i < 60; ++i) {
    const auto kind = static_cast<Fault::Kind>(random.chance(0.05) ? 3 : random.chance(0.5) ? 1 : 5);
    plan.push_back({kind, static_cast<std::size_t>(random.below(4000))});
  }
  proxy.plan(std::move(plan));
  Thread writer(clock, "writer", [&] {
    Random choice(3);
    write(server, 2000, choice);
  });
  Watch watch = this->watch(transport, {.resource_version = "0"});
  Copy copy;
  while (copy.version < 2000) {
    const WatchEvent* event = watch.next(deadline());
    ASSERT_NE(event, nullptr) << watch.status().trouble;
    copy.take(*event);
  }
  EXPECT_EQ(copy.resyncs, 0);
  EXPECT_EQ(copy.changes, server.log());
}

TEST_F(WatchFaults, HistoryThatIsGoneAfterABreakIsMadeUpForByAResync) {
  EventLogServer server(clock);
  FaultProxy proxy(clock, server.port());
  HttpTransport transport = transport_to(proxy.port());
  Random choice(5);
  write(server, 100, choice);
  Watch watch = this->watch(transport);
  Copy copy;
  proxy.plan({{Fault::Kind::reset, 8000}});
  ASSERT_TRUE(follow(watch, copy, server, deadline()));
  write(server, 500, choice);
  server.compact();
  ASSERT_TRUE(follow(watch, copy, server, deadline())) << watch.status().trouble;
  EXPECT_EQ(copy.objects, server.state());
}

TEST_F(WatchFaults, AStopEndsAWaitOnASilentConnectionAtOnce) {
  EventLogServer server(clock, {.bookmarks = 1h});
  HttpTransport transport = transport_to(server.port());
  Watch watch(transport, clock, random, {.resource = resource_of<kube::core::v1::ConfigMap>()});
  EXPECT_EQ(watch.next(deadline())->kind, Kind::resync_begin);
  EXPECT_EQ(watch.next(deadline())->kind, Kind::synced);
  StopSource stop;
  Thread stopper(clock, "stopper", [&] { stop.request_stop("enough"); });
  EXPECT_EQ(watch.next(stop.stop()), nullptr);
}

}  // namespace
}  // namespace flyball::client
