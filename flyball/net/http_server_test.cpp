#include "flyball/net/http_server.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/net/detail/raw_peer_for_test.hpp"
#include "flyball/net/http_client.hpp"

namespace flyball::net {
namespace {

using namespace std::chrono_literals;
using detail::read_to_end;
using detail::read_until;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

void echo(const Request& request, ResponseWriter& writer) {
  writer.send({.body = request.method + " " + request.target + " " + request.body + "\n"});
}

class Server : public testing::Test {
 public:
  void serve(HttpServerOptions options = {}, HttpServer::Handler handler = echo) {
    server.emplace(clock, std::move(options), std::move(handler));
  }
  std::unique_ptr<Stream> connect() { return connect_tcp(clock, resolver, "127.0.0.1", server->port(), {}); }
  // Sends the text and reads until the server closes.
  std::string raw(std::string_view text) {
    const auto stream = connect();
    stream->write(text, {});
    return read_to_end(*stream);
  }
  Response get(const std::string& path = "/") { return http.send(Url::parse(server->url() + path), {}, {}); }

  RealClock clock;
  Resolver resolver{clock};
  HttpClient http{clock};
  std::optional<HttpServer> server;
};

TEST_F(Server, ServesUntilItIsStopped) {
  // [snippet: server]
  HttpServer hello(clock, {.port = 0}, [](const Request& request, ResponseWriter& writer) {
    if (request.target != "/healthz") return writer.send({.status = 404, .body = "there is only /healthz\n"});
    writer.send({.headers = {{"Content-Type", "text/plain"}}, .body = "ok\n"});
  });
  EXPECT_EQ(http.send(Url::parse(hello.url() + "/healthz"), {}, {}).body, "ok\n");
  EXPECT_TRUE(hello.stop(clock.after(10s)));  // what is under way has 10 s to finish
  // [end]
  try {
    (void)http.send(Url::parse(hello.url() + "/healthz"), {}, {});
    FAIL() << "the port is closed";
  } catch (const NetError& error) {
    EXPECT_EQ(error.kind(), NetError::Kind::kConnect) << error.what();
  }
}

TEST_F(Server, AWatchEndsWhenItsClientGoes) {
  std::atomic<int> ended = 0;
  // [snippet: watch]
  serve({}, [&](const Request&, ResponseWriter& writer) {
    const Stop stop = writer.stop();  // stops when the client has gone
    writer.begin({.headers = {{"Content-Type", "application/json"}}});
    writer.write("{\"type\":\"BOOKMARK\"}\n");  // sent at once
    pause_until(clock, kNever, stop);           // a real one waits for events here
    ++ended;
  });
  // [end]
  EXPECT_THAT(http.open(Url::parse(server->url()), {}, {})->read({}), HasSubstr("BOOKMARK"));
  EXPECT_TRUE(server->stop(clock.after(60s)));
  EXPECT_EQ(ended, 1);
}

TEST_F(Server, AnswersRequestsInTheOrderTheyWereSentAhead) {
  serve();
  const std::string answers =
      raw("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab"
          "POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\ncd\r\n0\r\n\r\n"
          "GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_LT(answers.find("POST /1 ab\n"), answers.find("POST /2 cd\n"));
  EXPECT_LT(answers.find("POST /2 cd\n"), answers.find("GET /3 \n"));
  EXPECT_THAT(answers, EndsWith("GET /3 \n"));
}

TEST_F(Server, AsksForABodyThatWaitsToBeAskedFor) {
  serve();
  const auto stream = connect();
  stream->write("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
                {});
  EXPECT_EQ(read_until(*stream, "\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  stream->write("ab", {});
  EXPECT_THAT(read_to_end(*stream), EndsWith("PUT / ab\n"));
}

TEST_F(Server, SpeaksHttp10WithoutChunks) {
  serve({}, [](const Request&, ResponseWriter& writer) {
    writer.begin({.body = "one "});
    writer.write("two");
  });
  const std::string answer = raw("GET / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(answer, EndsWith("\r\n\r\none two"));
  EXPECT_THAT(answer, testing::Not(HasSubstr("chunked")));
}

TEST_F(Server, RefusesWhatItCannotReadAndSaysWhy) {
  serve({.limits = {.head_bytes = 1000, .body_bytes = 10}});
  EXPECT_THAT(raw("garbage\r\n\r\n"), StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_THAT(raw("\x16\x03\x01 hello"), HasSubstr("speaks TLS where plain HTTP was expected"));
  EXPECT_THAT(raw("GET / HTTP/1.1\r\nHost: a\r\nA: " + std::string(5000, 'x')), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(raw("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n"), StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(raw("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(raw("GET / HTTP/2.0\r\n\r\n"), StartsWith("HTTP/1.1 505 "));
  EXPECT_EQ(get().status, 200) << "others are served as before";
}

TEST_F(Server, ARefusalReachesAClientThatIsStillSending) {
  serve({.limits = {.body_bytes = 10}});
  const Response response =
      http.send(Url::parse(server->url()), {.method = "POST", .body = std::string(8 << 20, 'x')}, {});
  EXPECT_EQ(response.status, 413);
}

TEST_F(Server, ASlowHeadIsCutOffHoweverItTrickles) {
  serve({.head_timeout = 30ms});
  const auto stream = connect();
  StopSource over;
  Thread trickle(clock, "trickle", [&] {
    // A byte every millisecond would go on for ever if only silence counted.
    try {
      stream->write("GET / HTTP/1.1\r\nHost: a\r\nA: ", over.stop());
      while (pause_until(clock, clock.after(1ms), over.stop())) stream->write("x", over.stop());
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): how it ends is not what is tested
    }
  });
  std::string got;
  {
    std::array<char, 100> buffer{};
    try {
      while (const std::size_t n = stream->read(buffer, {})) got.append(buffer.data(), n);
    } catch (const NetError&) {  // NOLINT(bugprone-empty-catch): how it ends is not what is tested
    }
  }
  over.request_stop();
  trickle.join();
  EXPECT_THAT(got, StartsWith("HTTP/1.1 408 "));
}

TEST_F(Server, ASilentConnectionIsClosed) {
  serve({.kept_for = 10ms});
  EXPECT_EQ(raw(""), "");
  serve({.head_timeout = 10ms});
  EXPECT_THAT(raw("GET"), StartsWith("HTTP/1.1 408 "));
  serve({.body_timeout = 10ms});
  EXPECT_THAT(raw("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab"), StartsWith("HTTP/1.1 408 "));
}

TEST_F(Server, AHandlerThatThrowsIsA500AndOneThatSaysNothingToo) {
  serve({}, [](const Request& request, ResponseWriter&) {
    if (request.target == "/throw") throw Error("no database");
  });
  EXPECT_EQ(get("/throw").status, 500);
  EXPECT_THAT(get("/throw").body, testing::Not(HasSubstr("database"))) << "what went wrong is for the log";
  EXPECT_EQ(get("/nothing").status, 500);
}

TEST_F(Server, AHandlerThatThrowsAfterItBeganCutsTheConnection) {
  serve({}, [](const Request&, ResponseWriter& writer) {
    writer.begin({.body = "half"});
    throw Error("no more");
  });
  EXPECT_THROW((void)get(), Error) << "the client must not take half for the whole";
}

TEST_F(Server, MoreConnectionsThanAllowedWaitForTheirTurn) {
  serve({.connections = 1});
  auto first = connect();
  first->write("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n", {});
  EXPECT_THAT(read_until(*first, "/1 \n"), HasSubstr("/1"));
  const auto second = connect();
  second->write("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n", {});
  EXPECT_EQ(server->connections(), 1U);
  first.reset();
  EXPECT_THAT(read_until(*second, "/2 \n"), HasSubstr("/2"));
}

std::ptrdiff_t open_eventfds() {
  std::error_code gone;  // a descriptor may close while we look
  return std::ranges::count_if(std::filesystem::directory_iterator("/proc/self/fd"), [&](const auto& file) {
    return std::filesystem::read_symlink(file.path(), gone) == "anon_inode:[eventfd]";
  });
}

// Ten thousand watches then need ten thousand files, not twenty.
TEST_F(Server, AConnectionIsOneOpenFile) {
  serve({}, [&](const Request& request, ResponseWriter& writer) {
    if (request.target == "/") return echo(request, writer);
    const Stop stop = writer.stop();
    writer.begin({.body = "watching\n"});
    pause_until(clock, kNever, stop);
  });
  const std::ptrdiff_t before = open_eventfds();
  std::vector<std::unique_ptr<Stream>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(connect());
    clients.back()->write(i % 2 == 0 ? "GET / HTTP/1.1\r\nHost: a\r\n\r\n" : "GET /watch HTTP/1.1\r\nHost: a\r\n\r\n",
                          {});
    read_until(*clients.back(), i % 2 == 0 ? "GET / \n" : "watching\n");
  }
  // Those that wake the clients' own reads, and one or two of the server itself.
  EXPECT_LT(open_eventfds() - before, 25);
}

TEST_F(Server, StopLetsARequestFinishAndRefusesNewConnections) {
  std::atomic<bool> inside = false;
  std::atomic<bool> go = false;
  serve({}, [&](const Request&, ResponseWriter& writer) {
    inside = true;
    while (!go) std::this_thread::yield();
    writer.send({.body = "finished"});
  });
  Response response;
  Thread client(clock, "client", [&] { response = get(); });
  while (!inside) std::this_thread::yield();
  bool in_time = false;
  Thread stopper(clock, "stopper", [&] { in_time = server->stop(kNever); });
  go = true;
  stopper.join();
  client.join();
  EXPECT_TRUE(in_time);
  EXPECT_EQ(response.body, "finished");
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(Server, StopEndsIdleConnectionsAndAtTheDeadlineRunningHandlers) {
  std::atomic<bool> inside = false;
  std::string why;
  serve({}, [&](const Request&, ResponseWriter& writer) {
    const Stop stop = writer.stop();
    writer.begin({.body = "watching"});
    inside = true;
    pause_until(clock, kNever, stop);
    why = stop.reason();
  });
  const auto idle = connect();
  const auto stream = http.open(Url::parse(server->url()), {}, {});
  EXPECT_EQ(stream->read({}), "watching");
  EXPECT_FALSE(server->stop(clock.after(5ms)));
  EXPECT_EQ(why, "the server has ended");
  EXPECT_EQ(read_to_end(*idle), "");
}

TEST_F(Server, ManyClientsAtOnceEachGetTheirOwnAnswer) {
  serve({.connections = 4});
  std::atomic<int> good = 0;
  {
    std::vector<std::unique_ptr<Thread>> clients;
    for (int c = 0; c < 8; ++c) {
      clients.push_back(std::make_unique<Thread>(clock, "client", [&, c] {
        for (int i = 0; i < 20; ++i) {
          HttpClient own(clock, {.kept_per_origin = i % 2 == 0 ? std::size_t{0} : std::size_t{1}});
          const std::string path = "/" + std::to_string(c) + "/" + std::to_string(i);
          if (own.send(Url::parse(server->url() + path), {}, {}).body == "GET " + path + " \n") ++good;
        }
      }));
    }
  }
  EXPECT_EQ(good, 160);
}

}  // namespace
}  // namespace flyball::net
