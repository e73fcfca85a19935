// A small API server in the test's own process and on its clock: ConfigMaps and Secrets with a history, lists, watches,
// WatchList. It can forget, refuse, cut streams off, and not have a kind.
//
//   TinyServer server(clock);
//   server.put({.name = "a"});                       // a ConfigMap shop/a; the version is the server's
//   server.compact(); server.cut();                  // the next watch gets 410
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/cache/detail/objects_for_test.hpp"
#include "flyball/client/local_transport.hpp"
#include "flyball/kube/selector.hpp"
#include "flyball/net/url.hpp"

namespace flyball::cache::detail {

class TinyServer final : public client::Service {
 public:
  explicit TinyServer(Clock& clock) : changed_(clock) {}

  std::uint64_t put(Made made, const std::string& plural = "configmaps") {
    const MutexLock lock(mutex_);
    made.version = ++version_;
    auto& at = state_.try_emplace({plural, made.namespace_, made.name}, Made{.version = 0}).first->second;
    log_.push_back({plural, at.version == 0 ? "ADDED" : "MODIFIED", made, at});
    at = made;
    changed_.notify_all();
    return made.version;
  }
  std::uint64_t remove(const std::string& name, const std::string& in = "shop",
                       const std::string& plural = "configmaps") {
    const MutexLock lock(mutex_);
    const auto found = state_.find({plural, in, name});
    Made last = found->second;
    last.version = ++version_;
    log_.push_back({plural, "DELETED", last, found->second});
    state_.erase(found);
    changed_.notify_all();
    return version_;
  }
  void bookmark() {
    const MutexLock lock(mutex_);
    log_.push_back({"", "BOOKMARK", {.version = version_}, {.version = 0}});
    changed_.notify_all();
  }
  // Forgets the history up to now.
  void compact() {
    const MutexLock lock(mutex_);
    compacted_ = version_;
  }
  // Ends every stream.
  void cut() {
    const MutexLock lock(mutex_);
    ++cuts_;
    changed_.notify_all();
  }
  void refuse(const std::string& plural, int code) {
    const MutexLock lock(mutex_);
    refused_[plural] = code;
  }
  void allow(const std::string& plural) {
    const MutexLock lock(mutex_);
    refused_.erase(plural);
  }
  // Of streams that are open now: "configmaps", "shop/configmaps".
  std::multiset<std::string> open_streams() const {
    const MutexLock lock(mutex_);
    return open_;
  }
  std::vector<std::string> take_requests() {
    const MutexLock lock(mutex_);
    return std::exchange(requests_, {});
  }

  net::Response handle(const net::Request& request, const net::PeerIdentity& /*caller*/, const Stop&) override {
    return refusal(500, "no requests but watches: " + request.target);
  }

  std::unique_ptr<client::BodyStream> open(const net::Request& request, const net::PeerIdentity& /*caller*/,
                                           const Stop& /*stop*/) override {
    const net::Url url = net::Url::parse("http://server" + request.target);
    std::map<std::string, std::string> query;
    for (auto& [name, value] : net::Query::parse(url.query)) query[name] = value;
    Watched of{.plural = url.path.substr(url.path.rfind('/') + 1)};
    if (const auto at = url.path.find("/namespaces/"); at != std::string::npos) {
      of.namespace_ = url.path.substr(at + 12, url.path.rfind('/') - at - 12);
    }
    if (query.contains("labelSelector")) of.selector = kube::Selector::parse(query["labelSelector"]);
    const MutexLock lock(mutex_);
    requests_.push_back(of.name() + (query.contains("resourceVersion") ? "@" + query["resourceVersion"] : ""));
    if (const auto refused = refused_.find(of.plural); refused != refused_.end()) {
      return std::make_unique<Stream>(*this, refusal(refused->second, "so it is"));
    }
    const bool initial = query.contains("sendInitialEvents");
    const std::uint64_t from = initial ? version_ : std::stoull(query["resourceVersion"]);
    if (from < compacted_) return std::make_unique<Stream>(*this, refusal(410, "too old"));
    return std::make_unique<Stream>(*this, of, from, initial ? present(of) : "", cuts_);
  }

 private:
  struct Watched {
    std::string plural = {};
    std::string namespace_ = {};
    kube::Selector selector = {};
    std::string name() const { return namespace_.empty() ? plural : namespace_ + "/" + plural; }
    bool has(const Made& made) const {
      return made.version != 0 && (namespace_.empty() || made.namespace_ == namespace_) &&
             selector.matches(made.labels);
    }
  };
  struct Entry {
    std::string plural;
    std::string type;
    Made now;
    Made before;  // of version 0 when there was none
  };

  static net::Response refusal(int code, const std::string& message) {
    const std::string reason = code == 404 ? "NotFound" : code == 403 ? "Forbidden" : code == 410 ? "Expired" : "";
    return {.status = code,
            .headers = {{"Content-Type", "application/json"}},
            .body = R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":")" + message +
                    R"(","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}"};
  }
  static std::string event(const std::string& type, const std::string& object) {
    return R"({"type":")" + type + R"(","object":)" + object + "}\n";
  }
  std::string present(const Watched& of) const FLYBALL_REQUIRES(mutex_) {
    std::string text;
    for (const auto& [key, made] : state_) {
      if (std::get<0>(key) == of.plural && of.has(made)) text += event("ADDED", json_of(made));
    }
    return text + event("BOOKMARK", R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":")" +
                                        std::to_string(version_) +
                                        R"(","annotations":{"k8s.io/initial-events-end":"true"}}})");
  }
  // As the server does it: what comes to match is added, what no longer does is deleted.
  static std::string seen(const Entry& entry, const Watched& of) {
    if (entry.type == "BOOKMARK") {
      return event("BOOKMARK", R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":")" +
                                   std::to_string(entry.now.version) + "\"}}");
    }
    if (entry.plural != of.plural) return {};
    const bool was = of.has(entry.before);
    const bool is = entry.type != "DELETED" && of.has(entry.now);
    if (!was && !is) return {};
    return event(!was ? "ADDED" : is ? "MODIFIED" : "DELETED", json_of(entry.now));
  }

  class Stream final : public client::BodyStream {
   public:
    Stream(TinyServer& server, net::Response refusal) : server_(server), head_(std::move(refusal)), ended_(true) {
      std::swap(first_, head_.body);
    }
    Stream(TinyServer& server, Watched of, std::uint64_t from, std::string first, int cuts)
        FLYBALL_REQUIRES(server.mutex_)
        : server_(server),
          of_(std::move(of)),
          from_(from),
          first_(std::move(first)),
          cuts_(cuts),
          at_(first_.empty() ? 0 : server.log_.size()) {
      head_.headers.set("Content-Type", "application/json");
      head_.status = 200;
      server.open_.insert(of_.name());
    }
    ~Stream() override {
      const MutexLock lock(server_.mutex_);
      if (const auto at = server_.open_.find(of_.name()); at != server_.open_.end()) server_.open_.erase(at);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    const net::Response& head() const noexcept override { return head_; }
    std::string read(const Stop& stop) override {
      // What is there comes at once, so also to one who has no time to wait.
      if (!first_.empty()) return std::exchange(first_, {});
      if (ended_) return {};
      const MutexLock lock(server_.mutex_);
      std::string text;
      const bool come = server_.changed_.wait(server_.mutex_, stop, [&]() FLYBALL_REQUIRES(server_.mutex_) {
        text = news();
        return !text.empty() || server_.cuts_ != cuts_;
      });
      if (!come) stop.throw_if_stopped();
      return text;
    }

   private:
    std::string news() FLYBALL_REQUIRES(server_.mutex_) {
      std::string text;
      for (; at_ < server_.log_.size(); ++at_) {
        const Entry& entry = server_.log_[at_];
        if (entry.now.version > from_ || entry.type == "BOOKMARK") text += seen(entry, of_);
      }
      return text;
    }

    TinyServer& server_;
    const Watched of_ = {};
    const std::uint64_t from_ = 0;
    std::string first_;
    net::Response head_;
    const int cuts_ = 0;
    const bool ended_ = false;
    std::size_t at_ = 0;
  };

  mutable Mutex mutex_;
  Condition changed_;
  std::uint64_t version_ FLYBALL_GUARDED_BY(mutex_) = 100;
  std::uint64_t compacted_ FLYBALL_GUARDED_BY(mutex_) = 0;
  int cuts_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::map<std::tuple<std::string, std::string, std::string>, Made> state_ FLYBALL_GUARDED_BY(mutex_);
  std::vector<Entry> log_ FLYBALL_GUARDED_BY(mutex_);
  std::map<std::string, int> refused_ FLYBALL_GUARDED_BY(mutex_);
  std::multiset<std::string> open_ FLYBALL_GUARDED_BY(mutex_);
  std::vector<std::string> requests_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::cache::detail
