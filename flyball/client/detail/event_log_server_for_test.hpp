// A small API server for tests of watches, over HTTP: one resource, whose history it keeps. It lists in pages, watches
// from any version it still has, streams its present state in, and sends bookmarks. Private to the room.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/net/http_server.hpp"
#include "flyball/net/url.hpp"

namespace flyball::client::detail {

class EventLogServer {
 public:
  struct Options {
    bool watch_list = true;
    Duration bookmarks = std::chrono::milliseconds(25);
  };
  struct Entry {
    std::string type;
    std::string name;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  explicit EventLogServer(Clock& clock) : EventLogServer(clock, Options()) {}
  EventLogServer(Clock& clock, Options options)
      : options_(options),
        changed_(clock),
        http_(clock, {}, [this](const auto& request, auto& writer) { serve(request, writer); }) {}

  std::uint16_t port() const { return http_.port(); }

  // One more version: "ADDED", "MODIFIED" or "DELETED".
  void write(const std::string& type, const std::string& name) {
    MutexLock lock(mutex_);
    log_.push_back({type, name});
    if (type == "DELETED") {
      state_.erase(name);
    } else {
      state_[name] = log_.size();
    }
    changed_.notify_all();
  }
  // Forgets the history up to now.
  void compact() {
    MutexLock lock(mutex_);
    compacted_ = log_.size();
  }
  // The names and the version of each.
  std::map<std::string, std::size_t> state() const {
    MutexLock lock(mutex_);
    return state_;
  }
  std::vector<Entry> log() const {
    MutexLock lock(mutex_);
    return log_;
  }

 private:
  static std::string object(const std::string& name, std::size_t version, std::string_view more = {}) {
    return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name + R"(","resourceVersion":")" +
           std::to_string(version) + "\"" + std::string(more) + R"(},"data":{"padding":")" +
           std::string(version * 7 % 90, 'x') + "\"}}";
  }
  static std::string event(const std::string& type, const std::string& object) {
    return R"({"type":")" + type + R"(","object":)" + object + "}\n";
  }
  static void refuse(net::ResponseWriter& writer, int code, const std::string& reason) {
    net::Response answer{.status = code};
    answer.headers.set("Content-Type", "application/json");
    answer.body = R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":")" + reason +
                  R"(","code":)" + std::to_string(code) + "}";
    writer.send(std::move(answer));
  }

  void serve(const net::Request& request, net::ResponseWriter& writer) {
    const net::Url url = net::Url::parse("http://server" + request.target);
    std::map<std::string, std::string> query;
    for (auto& [name, value] : net::Query::parse(url.query)) query[name] = value;
    if (!query.contains("watch")) return list(query, writer);
    const bool initial = query.contains("sendInitialEvents");
    if (initial && !options_.watch_list) return refuse(writer, 422, "Invalid");
    std::size_t at = initial ? 0 : std::stoul(query["resourceVersion"]);
    std::string first;
    {
      MutexLock lock(mutex_);
      if (!initial && at < compacted_) {
        lock.unlock();
        return refuse(writer, 410, "Expired");
      }
      if (initial) {
        at = log_.size();
        for (const auto& [name, version] : state_) first += event("ADDED", object(name, version));
        first += event("BOOKMARK", object("", at, R"(,"annotations":{"k8s.io/initial-events-end":"true"})"));
      }
    }
    net::Response head{.body = std::move(first)};
    head.headers.set("Content-Type", "application/json");
    writer.begin(std::move(head));
    watch(at, writer);
  }

  void watch(std::size_t at, net::ResponseWriter& writer) {
    const Stop stop = writer.stop();
    while (!stop.stopped()) {
      std::string events;
      {
        MutexLock lock(mutex_);
        const TimePoint bookmark = changed_.clock().after(options_.bookmarks);
        changed_.wait_until(mutex_, bookmark, stop, [&]() FLYBALL_REQUIRES(mutex_) { return log_.size() > at; });
        for (; at < log_.size(); ++at) events += event(log_[at].type, object(log_[at].name, at + 1));
        if (events.empty()) events = event("BOOKMARK", object("", at));
      }
      writer.write(events);
    }
  }

  void list(std::map<std::string, std::string>& query, net::ResponseWriter& writer) {
    net::Response answer;
    answer.headers.set("Content-Type", "application/json");
    {
      MutexLock lock(mutex_);
      // A token is the snapshot's number and the first name of the page.
      const std::string token = query["continue"];
      const std::size_t slash = token.find('/');
      if (token.empty()) snapshots_.push_back(state_);
      const std::size_t number = token.empty() ? snapshots_.size() - 1 : std::stoul(token.substr(0, slash));
      const auto& snapshot = snapshots_[number];
      auto at = token.empty() ? snapshot.begin() : snapshot.lower_bound(token.substr(slash + 1));
      if (token.empty()) versions_.push_back(log_.size());
      std::string items;
      const std::size_t limit = query.contains("limit") ? std::stoul(query["limit"]) : snapshot.size();
      for (std::size_t i = 0; i < limit && at != snapshot.end(); ++i, ++at) {
        items += (items.empty() ? "" : ",") + object(at->first, at->second);
      }
      const std::string more = at == snapshot.end() ? "" : std::to_string(number) + "/" + at->first;
      answer.body = R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":")" +
                    std::to_string(versions_[number]) + R"(","continue":")" + more + R"("},"items":[)" + items + "]}";
    }
    writer.send(std::move(answer));
  }

  // Constant after construction.
  const Options options_;

  mutable Mutex mutex_;
  Condition changed_;
  std::vector<Entry> log_ FLYBALL_GUARDED_BY(mutex_);  // version 1 is the first
  std::map<std::string, std::size_t> state_ FLYBALL_GUARDED_BY(mutex_);
  std::size_t compacted_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::vector<std::map<std::string, std::size_t>> snapshots_ FLYBALL_GUARDED_BY(mutex_);
  std::vector<std::size_t> versions_ FLYBALL_GUARDED_BY(mutex_);

  net::HttpServer http_;  // last: its handlers use what is above
};

}  // namespace flyball::client::detail
