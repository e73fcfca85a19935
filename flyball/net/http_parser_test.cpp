#include "flyball/net/http_parser.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyball::net {
namespace {

using Kind = HttpParser::Kind;
using testing::HasSubstr;

struct Read {
  Request request;
  Response response;
  std::string body;
  bool done = false;
  bool keep_alive = false;
  std::string left;
};

// Feeds pieces of one size. With `close` the peer closes after the last one.
Read read(Kind kind, std::string_view text, std::size_t piece, bool close = false, HttpLimits limits = {}) {
  HttpParser parser(kind, limits);
  Read out;
  std::string_view ahead;
  std::size_t given = 0;
  while (!parser.done() && (given < text.size() || !ahead.empty())) {
    if (ahead.empty()) {
      ahead = text.substr(given, piece);
      given += ahead.size();
    }
    ahead.remove_prefix(parser.feed(ahead, out.body));
  }
  if (close) parser.end_of_input();
  out.request = parser.request();
  out.response = parser.response();
  out.done = parser.done();
  out.keep_alive = parser.head_done() && parser.keep_alive();
  out.left = std::string(ahead) + std::string(text.substr(given));
  return out;
}

std::string problem(Kind kind, std::string_view text, int status = 400, bool close = false, HttpLimits limits = {}) {
  std::string first;
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, text.size() + 1}) {
    std::string found = "none";
    try {
      (void)read(kind, text, piece, close, limits);
    } catch (const ProtocolError& error) {
      found = error.what();
      EXPECT_EQ(error.status(), status) << text;
    }
    if (first.empty()) first = found;
    EXPECT_EQ(first, found) << "cut into pieces of " << piece << ": " << text;
  }
  return first;
}

std::string request_with(const std::string& headers) { return "GET / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n"; }
std::string chunked(const std::string& body) { return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body; }

TEST(HttpParser, ReadsARequestHoweverItIsCut) {
  const std::string text =
      "POST /api/v1/pods?dryRun=All HTTP/1.1\r\nHost: kube\r\nX-Empty:\r\nX-Pad: \t a b \t\r\nContent-Length: "
      "5\r\n\r\nhelloGET";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const Read got = read(Kind::kRequest, text, piece);
    EXPECT_EQ(got.request.method, "POST");
    EXPECT_EQ(got.request.target, "/api/v1/pods?dryRun=All");
    EXPECT_EQ(got.request.headers,
              (Headers{{"Host", "kube"}, {"X-Empty", ""}, {"X-Pad", "a b"}, {"Content-Length", "5"}}));
    EXPECT_EQ(got.body, "hello");
    EXPECT_TRUE(got.done);
    EXPECT_TRUE(got.keep_alive);
    EXPECT_EQ(got.left, "GET") << "the next request is left to the next parser";
  }
}

TEST(HttpParser, ReadsChunksWithExtensionsAndTrailers) {
  const std::string text = chunked("5;name=\"v\"\r\nhello\r\n00a\r\n, world: 1\r\n0\r\nX-Sum: 7\r\n\r\nHTTP");
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const Read got = read(Kind::kResponse, text, piece);
    EXPECT_EQ(got.body, "hello, world: 1");
    EXPECT_EQ(got.response.trailers.get("x-sum"), "7");
    EXPECT_TRUE(got.done);
    EXPECT_EQ(got.left, "HTTP");
  }
}

TEST(HttpParser, AResponseWithoutLengthEndsWithTheConnection) {
  const std::string text = "HTTP/1.1 200 OK\r\n\r\nall of it";
  EXPECT_FALSE(read(Kind::kResponse, text, 4).done);
  const Read got = read(Kind::kResponse, text, 4, true);
  EXPECT_TRUE(got.done);
  EXPECT_EQ(got.body, "all of it");
  EXPECT_FALSE(got.keep_alive);
}

TEST(HttpParser, SomeResponsesNeverHaveABody) {
  for (const std::string status : {"100", "101", "204", "304"}) {
    EXPECT_TRUE(read(Kind::kResponse, "HTTP/1.1 " + status + " x\r\nContent-Length: 9\r\n\r\n", 7).done) << status;
  }
  HttpParser head(Kind::kResponse);
  std::string body;
  head.feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", body);
  EXPECT_FALSE(head.done());
  head.expect_no_body();
  EXPECT_TRUE(head.done());
  EXPECT_TRUE(head.keep_alive());
}

TEST(HttpParser, KeepAliveFollowsVersionAndConnection) {
  const auto keeps = [](const std::string& version, const std::string& header) {
    return read(Kind::kRequest, "GET / " + version + "\r\nHost: a\r\n" + header + "\r\n", 100).keep_alive;
  };
  EXPECT_TRUE(keeps("HTTP/1.1", ""));
  EXPECT_FALSE(keeps("HTTP/1.1", "Connection: upgrade, Close\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.0", ""));
  EXPECT_TRUE(keeps("HTTP/1.0", "connection: Keep-Alive\r\n"));
}

TEST(HttpParser, RefusesWhatCouldBeReadInTwoWays) {
  const auto refused = [](const std::string& headers, int status = 400) {
    return problem(Kind::kRequest, request_with(headers), status);
  };
  EXPECT_THAT(refused("Content-Length: 5\r\nContent-Length: 6\r\n"), HasSubstr("Content-Length is given 2 times"));
  EXPECT_THAT(refused("Content-Length: 5\r\nContent-Length: 5\r\n"), HasSubstr("2 times"));
  EXPECT_THAT(refused("Content-Length: 5, 5\r\n"), HasSubstr("no length"));
  EXPECT_THAT(refused("Content-Length: +5\r\n"), HasSubstr("no length"));
  EXPECT_THAT(refused("Content-Length: -5\r\n"), HasSubstr("no length"));
  EXPECT_THAT(refused("Content-Length: 0x5\r\n"), HasSubstr("no length"));
  EXPECT_THAT(refused("Content-Length: 99999999999999999999\r\n"), HasSubstr("no length"));
  EXPECT_THAT(refused("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), HasSubstr("together"));
  EXPECT_THAT(refused("Transfer-Encoding: gzip, chunked\r\n", 501), HasSubstr("only \"chunked\""));
  EXPECT_THAT(refused("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", 501), HasSubstr("once"));
  EXPECT_THAT(refused("Transfer-Encoding: xchunked\r\n", 501), HasSubstr("xchunked"));
  EXPECT_THAT(refused("Host: b\r\n"), HasSubstr("exactly one Host"));
  EXPECT_THAT(refused("A: b\r\n c\r\n"), HasSubstr("folded"));
  EXPECT_THAT(refused("A : b\r\n"), HasSubstr("header name"));
  EXPECT_THAT(refused(": b\r\n"), HasSubstr("header name"));
  EXPECT_THAT(refused("A\r\n"), HasSubstr("no colon"));
  EXPECT_THAT(refused("A: b\n"), HasSubstr("bare line feed"));
  EXPECT_THAT(refused("A: b\rc\r\n"), HasSubstr("control character"));
  EXPECT_THAT(refused(std::string("A: b\0c\r\n", 8)), HasSubstr("control character"));
  EXPECT_THAT(problem(Kind::kRequest, "GET / HTTP/1.1\r\n\r\n"), HasSubstr("exactly one Host"));
  EXPECT_THAT(problem(Kind::kRequest, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), HasSubstr("HTTP/1.0"));
}

TEST(HttpParser, RefusesWrongFirstLines) {
  EXPECT_THAT(problem(Kind::kRequest, "GET /\r\n"), HasSubstr("expected \"METHOD target HTTP/1.1\""));
  EXPECT_THAT(problem(Kind::kRequest, "GET /a b HTTP/1.1\r\n"), HasSubstr("target has a space"));
  EXPECT_THAT(problem(Kind::kRequest, "GET  / HTTP/1.1\r\n"), HasSubstr("target has a space"));
  EXPECT_THAT(problem(Kind::kRequest, "G(T / HTTP/1.1\r\n"), HasSubstr("method"));
  EXPECT_THAT(problem(Kind::kRequest, "GET / HTTP/2.0\r\n", 505), HasSubstr("only HTTP/1.1"));
  EXPECT_THAT(problem(Kind::kRequest, "GET / http/1.1\r\n"), HasSubstr("expected \"HTTP/1.1\""));
  EXPECT_THAT(problem(Kind::kResponse, "HTTP/1.1 20 OK\r\n"), HasSubstr("expected \"HTTP/1.1 200 OK\""));
  EXPECT_THAT(problem(Kind::kResponse, "HTTP/1.1 2000 OK\r\n"), HasSubstr("expected \"HTTP/1.1 200 OK\""));
  EXPECT_THAT(problem(Kind::kResponse, "SSH-2.0-OpenSSH"), HasSubstr("no HTTP response"));
  EXPECT_THAT(problem(Kind::kResponse, "\x15\x03\x01"), HasSubstr("speaks TLS"));
  EXPECT_THAT(problem(Kind::kRequest, "\x16\x03\x01"), HasSubstr("speaks TLS"));
}

TEST(HttpParser, RefusesWrongChunks) {
  for (const std::string size :
       {"", "x", "-1", "+1", " 1", "0x1", "1 2", "FFFFFFFFFFFFFFFF", "11111111111111111", ";a"}) {
    EXPECT_THAT(problem(Kind::kResponse, chunked(size + "\r\n")), HasSubstr("a chunk begins with")) << size;
  }
  EXPECT_THAT(problem(Kind::kResponse, chunked("1\nA")), HasSubstr("bare line feed"));
  EXPECT_THAT(problem(Kind::kResponse, chunked("1\r\nABC")), HasSubstr("longer than its size"));
  EXPECT_THAT(problem(Kind::kResponse, chunked("1\r\nA\n0\r\n\r\n")), HasSubstr("longer than its size"));
  EXPECT_THAT(problem(Kind::kResponse, chunked(std::string(2000, '0'))), HasSubstr("size line is longer"));
}

TEST(HttpParser, SaysWhatIsMissingWhenThePeerCloses) {
  EXPECT_THAT(problem(Kind::kResponse, "", 400, true), HasSubstr("without a word"));
  EXPECT_THAT(problem(Kind::kResponse, "HTTP/1.1 200 OK\r\nA:", 400, true), HasSubstr("middle of the headers"));
  EXPECT_THAT(problem(Kind::kResponse, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", 400, true),
              HasSubstr("6 bytes of the body missing"));
  EXPECT_THAT(problem(Kind::kResponse, chunked("5\r\nab"), 400, true), HasSubstr("middle of a chunked body"));
  EXPECT_THAT(problem(Kind::kResponse, chunked("0\r\n"), 400, true), HasSubstr("middle of a chunked body"));
}

TEST(HttpParser, HoldsItsLimits) {
  const HttpLimits limits{.head_bytes = 64, .header_count = 3, .body_bytes = 4};
  const auto over = [&](Kind kind, const std::string& text, int status) {
    return problem(kind, text, status, false, limits);
  };
  EXPECT_THAT(over(Kind::kRequest, request_with("A: " + std::string(64, 'x') + "\r\n"), 431),
              HasSubstr("limit of 64 bytes"));
  EXPECT_THAT(over(Kind::kRequest, "GET /" + std::string(100, 'x'), 431), HasSubstr("limit of 64 bytes"));
  EXPECT_THAT(over(Kind::kRequest, request_with("A:1\r\nB:2\r\nC:3\r\n"), 431), HasSubstr("more than 3"));
  EXPECT_THAT(over(Kind::kRequest, request_with("Content-Length: 5\r\n"), 413), HasSubstr("limit of 4 bytes"));
  EXPECT_THAT(over(Kind::kResponse, chunked("3\r\nabc\r\n2\r\nde\r\n"), 413), HasSubstr("limit of 4 bytes"));
  EXPECT_THAT(over(Kind::kResponse, "HTTP/1.1 200 OK\r\n\r\nabcde", 413), HasSubstr("limit of 4 bytes"));
  EXPECT_THAT(over(Kind::kResponse, chunked("0\r\nA: " + std::string(64, 'x') + "\r\n\r\n"), 431),
              HasSubstr("limit of 64 bytes"));
}

TEST(HttpWriter, WhatIsWrittenReadsBack) {
  const Request request{.method = "PATCH", .target = "/a?b=c", .headers = {{"Host", "h"}, {"Content-Length", "0"}}};
  std::string text;
  append_head(text, request);
  EXPECT_EQ(text, "PATCH /a?b=c HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(read(Kind::kRequest, text, 5).request, request);

  text.clear();
  append_head(text, Response{.status = 404, .headers = {{"Transfer-Encoding", "chunked"}}});
  EXPECT_TRUE(text.starts_with("HTTP/1.1 404 Not Found\r\n"));
  append_chunk(text, std::string(300, 'x'));
  append_chunk(text, "");
  append_last_chunk(text, {{"T", "1"}});
  const Read got = read(Kind::kResponse, text, 5);
  EXPECT_EQ(got.body, std::string(300, 'x'));
  EXPECT_EQ(got.response.trailers.get("T"), "1");
}

TEST(HttpWriter, RefusesWhatWouldBreakOutOfItsLine) {
  std::string out;
  EXPECT_THROW(append_head(out, Request{.headers = {{"A", "b\r\nX-Admin: 1"}}}), InputError);
  EXPECT_THROW(append_head(out, Request{.headers = {{"A\r\nB", "c"}}}), InputError);
  EXPECT_THROW(append_head(out, Request{.target = "/a b"}), InputError);
  EXPECT_THROW(append_head(out, Request{.method = "GET /"}), InputError);
  EXPECT_THROW(append_head(out, Response{.status = 20}), InputError);
  EXPECT_THROW(append_head(out, Response{.reason = "OK\r\nA: b"}), InputError);
}

TEST(Headers, CompareWithoutCaseAndKeepOrder) {
  Headers headers{{"Accept", "a"}, {"X", "1"}, {"accept", "b, C"}};
  EXPECT_EQ(headers.get("ACCEPT"), "a");
  EXPECT_EQ(headers.count("accept"), 2U);
  EXPECT_TRUE(headers.has_word("accept", "c"));
  EXPECT_FALSE(headers.has_word("accept", "d"));
  headers.set("aCCept", "z");
  EXPECT_EQ(headers, (Headers{{"Accept", "z"}, {"X", "1"}}));
  headers.remove("x");
  EXPECT_FALSE(headers.contains("X"));
  EXPECT_EQ(headers.find("X"), nullptr);
}

}  // namespace
}  // namespace flyball::net
