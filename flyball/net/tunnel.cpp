#include "flyball/net/detail/tunnel.hpp"

#include <array>

#include "flyball/net/detail/base64.hpp"
#include "flyball/net/http_parser.hpp"

namespace flyball::net::detail {
namespace {

[[noreturn]] void fail(const Stream& proxy, const Url& target, const std::string& problem) {
  throw NetError(NetError::Kind::kProxy, "the proxy " + proxy.peer() + " did not connect us to " +
                                             host_and_port(target.host, target.effective_port()) + ": " + problem);
}

std::string read_exactly(Stream& stream, std::size_t size, const Url& target, const Stop& stop) {
  std::string out(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const std::size_t n = stream.read({out.data() + done, size - done}, stop);
    if (n == 0) fail(stream, target, "it closed the connection");
    done += n;
  }
  return out;
}

std::string socks_problem(unsigned char code) {
  constexpr std::array<const char*, 9> kReasons = {"",
                                                   "general failure",
                                                   "its rules do not allow it",
                                                   "the network is unreachable",
                                                   "the host is unreachable",
                                                   "connection refused",
                                                   "the time to live expired",
                                                   "it does not know the command",
                                                   "it does not know the kind of address"};
  return code < kReasons.size() ? kReasons[code] : "error " + std::to_string(code);
}

void authenticate(Stream& proxy, const Url& proxy_url, const Url& target, const Stop& stop) {
  const std::string& user = proxy_url.user;
  const std::string& password = proxy_url.password.reveal();
  if (user.size() > 255 || password.size() > 255)
    fail(proxy, target, "SOCKS takes a user and a password of up to 255 bytes");
  std::string words = "\x01";
  words += static_cast<char>(user.size());
  words += user;
  words += static_cast<char>(password.size());
  words += password;
  proxy.write(words, stop);
  if (read_exactly(proxy, 2, target, stop)[1] != 0) fail(proxy, target, "it refused the user or the password");
}

}  // namespace

std::string proxy_authorization(const Url& proxy_url) {
  if (proxy_url.user.empty()) return {};
  return "Basic " + base64(proxy_url.user + ":" + proxy_url.password.reveal());
}

void open_http_tunnel(Stream& proxy, const Url& proxy_url, const Url& target, const Stop& stop) {
  const std::string where = host_and_port(target.host, target.effective_port());
  Request request{.method = "CONNECT", .target = where, .headers = {{"Host", where}}};
  if (std::string words = proxy_authorization(proxy_url); !words.empty())
    request.headers.set("Proxy-Authorization", words);
  std::string text;
  append_head(text, request);
  proxy.write(text, stop);
  HttpParser parser(HttpParser::Kind::kResponse);
  std::string body;
  // One byte at a time: what follows the head belongs to whoever talks through the tunnel.
  while (!parser.head_done()) {
    const std::string byte = read_exactly(proxy, 1, target, stop);
    parser.feed(byte, body);
  }
  const Response& answer = parser.response();
  if (answer.status / 100 == 2) return;
  const bool login = answer.status == 407;
  fail(proxy, target,
       "it answered " + std::to_string(answer.status) + " " + answer.reason +
           (login ? "; give user and password in the proxy's URL" : ""));
}

void open_socks_tunnel(Stream& proxy, const Url& proxy_url, const Url& target, const Stop& stop) {
  const bool login = !proxy_url.user.empty();
  proxy.write(login ? std::string_view("\x05\x02\x00\x02", 4) : std::string_view("\x05\x01\x00", 3), stop);
  const std::string chosen = read_exactly(proxy, 2, target, stop);
  if (chosen[0] != 5) fail(proxy, target, "it does not speak SOCKS5");
  if (chosen[1] == 2 && login) {
    authenticate(proxy, proxy_url, target, stop);
  } else if (chosen[1] != 0) {
    fail(proxy, target,
         login ? "it takes no password" : "it wants a user and a password; give them in the proxy's URL");
  }
  if (target.host.size() > 255) fail(proxy, target, "the host name is longer than 255 bytes");
  std::string words("\x05\x01\x00\x03", 4);
  words += static_cast<char>(target.host.size());
  words += target.host;
  words += static_cast<char>(target.effective_port() >> 8U);
  words += static_cast<char>(target.effective_port() & 255U);
  proxy.write(words, stop);
  const std::string answer = read_exactly(proxy, 4, target, stop);
  if (answer[1] != 0) fail(proxy, target, socks_problem(static_cast<unsigned char>(answer[1])));
  // The address it connected from, which is of no use to us.
  const std::size_t length = answer[3] == 1   ? 4
                             : answer[3] == 4 ? 16
                                              : static_cast<unsigned char>(read_exactly(proxy, 1, target, stop)[0]);
  read_exactly(proxy, length + 2, target, stop);
}

}  // namespace flyball::net::detail
