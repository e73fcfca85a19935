// A server that plays a cluster: it lists and streams objects that are encoded already, and changes them as it is told.
//
//   replay_server pods 10000 [protobuf|json|both] [SEED]     prints its URL; ends when standard input does
//
// What Kubernetes serves (of one kind): lists in pages, watches with bookmarks, WatchList, 410, one object; writes are
// answered with the object as it is. What it does besides, on POST:
//
//   /bench/churn?rate=1000&seconds=60    events at random moments (Poisson); one in ten replaces its object. With
//                                        count=N: so many, however long it takes
//   /bench/burst?count=10000             that many at once, encoded before
//   /bench/expire?changed=0.5            a part changes, and watchers hear nothing of it but 410
//   /bench/state                         JSON: version, objects, digests of their bytes, counts
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/world.hpp"

#include "flyball/base/clock.hpp"
#include "flyball/base/thread.hpp"
#include "flyball/client/watch_decoder.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/net/http_server.hpp"
#include "flyball/net/url.hpp"
#include "flyball/reflect/encode.hpp"

namespace bench {
namespace {

using flyball::net::Request;
using flyball::net::Response;
using flyball::net::ResponseWriter;
using Parameters = std::map<std::string, std::string>;

std::uint64_t number(const Parameters& parameters, const std::string& name, std::uint64_t otherwise) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? otherwise : std::strtoull(found->second.c_str(), nullptr, 10);
}

double real(const Parameters& parameters, const std::string& name, double otherwise) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? otherwise : std::strtod(found->second.c_str(), nullptr);
}

std::string type_of(Format format) { return std::string(flyball::client::content_type(format)); }

class Replay {
 public:
  Replay(flyball::Clock& clock, std::unique_ptr<Corpus> corpus, const std::vector<Format>& formats)
      : clock_(clock), world_(clock, std::move(corpus), formats), path_(world_.corpus().resource().path("")) {
    bookmarks_ = std::make_unique<flyball::Thread>(clock_, "bookmarks", [this, stop = stop_.stop()] {
      while (flyball::pause_until(clock_, clock_.after(std::chrono::seconds(30)), stop)) world_.bookmark();
    });
  }
  ~Replay() { stop_.request_stop("the end"); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  void answer(const Request& request, ResponseWriter& writer) {
    const std::string_view target = request.target;
    const std::string_view path = target.substr(0, target.find('?'));
    Parameters parameters;
    if (path.size() < target.size()) {
      for (auto& [name, value] : flyball::net::Query::parse(target.substr(path.size() + 1))) parameters[name] = value;
    }
    if (path.starts_with("/bench/")) return control(path.substr(7), parameters, writer);
    Format format = Format::json;
    if (request.headers.get("Accept").find("protobuf") != std::string_view::npos) format = Format::protobuf;
    if (!world_.speaks(format)) format = format == Format::json ? Format::protobuf : Format::json;
    if (request.method != "GET" || path != path_) return one(request, path, format, writer);
    parameters.contains("watch") ? watch(format, parameters, writer) : list(format, parameters, writer);
  }

 private:
  static void send(ResponseWriter& writer, std::string body, const std::string& type = "application/json",
                   int status = 200) {
    Response response{.status = status, .body = std::move(body)};
    response.headers.set("Content-Type", type);
    writer.send(std::move(response));
  }

  static void refuse(ResponseWriter& writer, int code, const std::string& reason) {
    send(writer,
         R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"so says the replay server","reason":")" +
             reason + R"(","code":)" + std::to_string(code) + "}",
         "application/json", code);
  }

  // One object, read or written. What is written is not kept: the answer is what is there, or what was sent.
  void one(const Request& request, std::string_view path, Format format, ResponseWriter& writer) {
    if (request.method != "GET") world_.count_write();
    const auto slash = path.rfind('/');
    const std::string name(path.substr(slash + 1));
    std::string in_namespace;
    if (const auto at = path.find("/namespaces/"); at != std::string_view::npos) {
      in_namespace = path.substr(at + 12, path.find('/', at + 12) - at - 12);
    }
    const auto& kind = world_.corpus().resource().kind;
    if (const auto item = world_.find(format, in_namespace + "/" + name)) {
      if (format == Format::json) return send(writer, *item);
      return send(writer,
                  flyball::kube::seal_envelope({.api_version = kind.api_version(), .kind = kind.kind, .object = *item}),
                  type_of(format));
    }
    if (request.method == "GET") return refuse(writer, 404, "NotFound");
    send(writer, request.body, std::string(request.headers.get("Content-Type")), request.method == "POST" ? 201 : 200);
  }

  void list(Format format, const Parameters& parameters, ResponseWriter& writer) {
    const std::uint64_t limit = number(parameters, "limit", 0);
    const World::Page page = world_.page(format, number(parameters, "continue", 0), limit == 0 ? SIZE_MAX / 2 : limit);
    const auto& kind = world_.corpus().resource().kind;
    flyball::kube::core::v1::PodList head;  // every list has its metadata there
    head.metadata.resourceVersion = std::to_string(page.version);
    if (page.next != 0) head.metadata.continue_ = std::to_string(page.next);
    if (format == Format::json) {
      std::string text = R"({"kind":")" + kind.kind + R"(List","apiVersion":")" + kind.api_version() +
                         R"(","metadata":)" + flyball::reflect::encode(head.metadata) + R"(,"items":[)";
      for (std::size_t i = 0; i < page.items.size(); ++i) {
        if (i != 0) text += ',';
        text += page.items[i];
      }
      return send(writer, text + "]}");
    }
    std::string message = flyball::kube::encode_message(flyball::reflect::type_of<decltype(head)>(), &head);
    for (const std::string& item : page.items) {
      message += '\x12';
      std::size_t size = item.size();
      for (; size >= 0x80; size >>= 7U) message += static_cast<char>(size | 0x80U);
      message += static_cast<char>(size);
      message += item;
    }
    send(writer,
         flyball::kube::seal_envelope(
             {.api_version = kind.api_version(), .kind = kind.kind + "List", .object = message}),
         type_of(format));
  }

  void watch(Format format, const Parameters& parameters, ResponseWriter& writer) {
    const bool initial = parameters.contains("sendInitialEvents");
    std::optional<std::uint64_t> from;
    if (!initial && parameters.contains("resourceVersion")) from = number(parameters, "resourceVersion", 0);
    const std::uint64_t version = world_.version();
    auto place = world_.join(from);
    if (!place) return refuse(writer, 410, "Expired");
    struct Leave {
      World& world;
      ~Leave() { world.leave(); }
    } const leave{world_};
    Response response;
    response.headers.set("Content-Type", type_of(format) + (format == Format::protobuf ? ";stream=watch" : ""));
    writer.begin(std::move(response));
    if (initial) send_everything(format, version, writer);
    const flyball::Stop stop = writer.stop();
    while (true) {
      const World::News news = world_.news(format, *place, stop);
      if (news.stopped) return;
      if (news.expired) return writer.write(world_.expired_frame(format));
      writer.write(news.frames);
    }
  }

  void send_everything(Format format, std::uint64_t version, ResponseWriter& writer) {
    constexpr std::size_t kBatch = 32;
    World::Page page;
    do {
      page = world_.page(format, page.next, kBatch);
      std::string piece;
      for (const std::string& item : page.items) piece += world_.frame(format, "ADDED", item);
      if (!piece.empty()) writer.write(piece);
    } while (page.next != 0);
    writer.write(world_.bookmark_frame(format, version, true));
  }

  void control(std::string_view what, const Parameters& parameters, ResponseWriter& writer) {
    if (what == "churn") return churn(parameters, writer);
    if (what == "burst") world_.burst(number(parameters, "count", 1000));
    if (what == "expire") world_.expire(real(parameters, "changed", 0));
    if (what == "bookmark") world_.bookmark();
    state(writer);
  }

  // Answers when it is over.
  void churn(const Parameters& parameters, ResponseWriter& writer) {
    const double rate = real(parameters, "rate", 100);
    const auto micros = static_cast<std::int64_t>(real(parameters, "seconds", 10) * 1e6);
    const std::uint64_t most = number(parameters, "count", UINT64_MAX);
    flyball::Random random(7);
    const flyball::TimePoint end =
        most == UINT64_MAX ? clock_.after(std::chrono::microseconds(micros)) : flyball::kNever;
    flyball::TimePoint next = clock_.now();
    const flyball::Stop stop = writer.stop();
    std::uint64_t count = 0;
    while (next < end && count < most && !stop.stopped()) {
      world_.change(++count % 10 == 0 ? World::ChangeKind::replace : World::ChangeKind::modify);
      const double gap = -std::log(1 - random.uniform()) / rate;
      next += std::chrono::nanoseconds(static_cast<std::int64_t>(gap * 1e9));
      if (clock_.now() < next && !flyball::pause_until(clock_, next, stop)) break;
    }
    state(writer);
  }

  void state(ResponseWriter& writer) const {
    const World::Summary now = world_.summary();
    std::string text = R"({"version":)" + std::to_string(now.version) + R"(,"objects":)" + std::to_string(now.objects) +
                       R"(,"watchers":)" + std::to_string(now.watchers) + R"(,"events":)" + std::to_string(now.events) +
                       R"(,"lists":)" + std::to_string(now.lists) + R"(,"writes":)" + std::to_string(now.writes);
    for (const auto& [format, digest] : now.digests) {
      text += std::string(",\"") + (format == Format::json ? "json" : "protobuf") + "\":\"" + digest + "\"";
    }
    send(writer, text + "}");
  }

  flyball::Clock& clock_;
  World world_;
  const std::string path_;
  flyball::StopSource stop_;
  std::unique_ptr<flyball::Thread> bookmarks_;
};

int run(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: replay_server CORPUS COUNT [protobuf|json|both] [SEED]\n";
    return 2;
  }
  const std::string_view name = argc > 3 ? argv[3] : "protobuf";
  std::vector<Format> formats;
  if (name != "protobuf") formats.push_back(Format::json);
  if (name != "json") formats.push_back(Format::protobuf);
  flyball::RealClock clock;
  Replay replay(
      clock,
      make_corpus(argv[1], std::strtoull(argv[2], nullptr, 10), argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1),
      formats);
  flyball::net::HttpServer server(
      clock, {}, [&](const Request& request, ResponseWriter& writer) { replay.answer(request, writer); });
  std::cout << server.url() << std::endl;
  while (std::getchar() != EOF) {
  }
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try { return bench::run(argc, argv); } catch (const std::exception& error) {
  std::cerr << "replay_server: " << error.what() << "\n";
  return 1;
}
