// The first byte says whether it is a request or a response, whether the peer closes at the end, and how long the
// pieces are; the rest is what came. However it is cut, the same message, the same rest and the same error come out,
// and a head that was read is written back and read again as the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "flyball/net/http_parser.hpp"

namespace {

using namespace flyball::net;

struct Outcome {
  Request request;
  Response response;
  std::string body;
  std::string end;
  std::size_t taken = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome run(HttpParser::Kind kind, std::string_view text, std::size_t piece, bool close) {
  HttpParser parser(kind, {.head_bytes = 512, .header_count = 8, .body_bytes = 4096, .chunk_line_bytes = 32});
  Outcome out;
  try {
    while (!parser.done() && out.taken < text.size()) {
      std::string_view cut = text.substr(out.taken, piece);
      out.taken += parser.feed(cut, out.body);
    }
    if (close) parser.end_of_input();
    out.end = parser.done() ? (parser.keep_alive() ? "keep" : "close") : "more";
  } catch (const ProtocolError& error) {
    // Where it stood in the text when it threw depends on the cut; what it said does not.
    out.taken = 0;
    out.end = error.what();
  }
  out.request = parser.request();
  out.response = parser.response();
  return out;
}

void check(bool holds) {
  if (!holds) std::abort();
}

template <class Message>
void check_writes_back(HttpParser::Kind kind, const Message& message, Message (*get)(HttpParser&)) {
  std::string text;
  Message head = message;
  head.trailers = {};
  append_head(text, head);
  HttpParser parser(kind);
  std::string body;
  check(parser.feed(text, body) == text.size() && parser.head_done());
  check(get(parser).headers == head.headers);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto kind = (data[0] & 1U) != 0 ? HttpParser::Kind::kRequest : HttpParser::Kind::kResponse;
  const bool close = (data[0] & 2U) != 0;
  const Outcome cut = run(kind, text, 1 + data[0] / 4U, close);
  check(cut == run(kind, text, text.size() + 1, close));
  check(cut.body.size() <= 4096);
  if (cut.end == "keep" || cut.end == "close") {
    if (kind == HttpParser::Kind::kRequest) {
      check_writes_back<Request>(kind, cut.request, [](HttpParser& p) { return p.request(); });
    } else {
      check_writes_back<Response>(kind, cut.response, [](HttpParser& p) { return p.response(); });
    }
  }
  return 0;
}
