#include "flyball/net/websocket_handshake.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "flyball/net/detail/base64.hpp"
#include "flyball/net/http_parser.hpp"

namespace flyball::net {
namespace {

std::string make_key() {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) throw Error("OpenSSL has no random bytes to give");
  return detail::base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// 16 bytes in base64.
bool is_key(std::string_view key) {
  if (key.size() != 24 || !key.ends_with("==")) return false;
  return std::all_of(key.begin(), key.end() - 2, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
  });
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// In the order the client likes them.
std::vector<std::string> offered(const Headers& headers) {
  std::vector<std::string> words;
  for (const Headers::Field& field : headers) {
    if (!same_name(field.name, "Sec-WebSocket-Protocol")) continue;
    std::string word;
    for (const char c : field.value + ",") {
      if (c != ',' && c != ' ' && c != '\t') {
        word += c;
      } else if (c == ',' && !word.empty()) {
        words.push_back(std::exchange(word, {}));
      }
    }
  }
  return words;
}

Response refusal(int status, const std::string& why) {
  return {.status = status, .headers = {{"Content-Type", "text/plain"}}, .body = why + "\n"};
}

}  // namespace

std::string websocket_accept(std::string_view key) {
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // the RFC's
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr) != 1) {
    throw Error("OpenSSL cannot compute SHA-1, which the WebSocket handshake needs");
  }
  return detail::base64({reinterpret_cast<const char*>(digest.data()), size});
}

WebSocketHandshake::WebSocketHandshake(std::vector<std::string> protocols)
    : protocols_(std::move(protocols)), key_(make_key()) {}

void WebSocketHandshake::add_to(Headers& headers) const {
  headers.set("Connection", "Upgrade");
  headers.set("Upgrade", "websocket");
  headers.set("Sec-WebSocket-Version", "13");
  headers.set("Sec-WebSocket-Key", key_);
  if (!protocols_.empty()) headers.set("Sec-WebSocket-Protocol", joined(protocols_));
}

std::string WebSocketHandshake::check(const Response& head) const {
  if (head.status != 101) {
    std::string why = "the server refused to open a WebSocket: it answered " + std::to_string(head.status) + " " +
                      (head.reason.empty() ? std::string(status_text(head.status)) : head.reason);
    if (!head.body.empty()) why += ": " + head.body.substr(0, 1000);
    throw ProtocolError(why, head.status);
  }
  const Headers& headers = head.headers;
  if (!headers.has_word("Connection", "Upgrade") || !same_name(headers.get("Upgrade"), "websocket")) {
    throw ProtocolError("the server switched to \"" + std::string(headers.get("Upgrade")) +
                        "\" where a WebSocket was asked for");
  }
  if (headers.get("Sec-WebSocket-Accept") != websocket_accept(key_)) {
    throw ProtocolError("the server's answer to the WebSocket handshake does not belong to our request");
  }
  if (headers.contains("Sec-WebSocket-Extensions")) {
    throw ProtocolError("the server uses a WebSocket extension that was not asked for: " +
                        std::string(headers.get("Sec-WebSocket-Extensions")));
  }
  const std::string chosen(headers.get("Sec-WebSocket-Protocol"));
  if (!chosen.empty() && !contains(protocols_, chosen)) {
    throw ProtocolError("the server chose the WebSocket subprotocol \"" + chosen + "\" and we offered " +
                        (protocols_.empty() ? "none" : joined(protocols_)));
  }
  return chosen;
}

Response answer_websocket_handshake(const Request& request, const std::vector<std::string>& protocols) {
  const Headers& headers = request.headers;
  if (request.method != "GET" || request.minor_version < 1) return refusal(400, "a WebSocket is opened with GET");
  if (!same_name(headers.get("Upgrade"), "websocket") || !headers.has_word("Connection", "Upgrade")) {
    Response response = refusal(426, "this is a WebSocket: Connection: Upgrade and Upgrade: websocket are missing");
    response.headers.set("Upgrade", "websocket");
    return response;
  }
  if (headers.get("Sec-WebSocket-Version") != "13") {
    Response response = refusal(426, "only version 13 of WebSocket is spoken here");
    response.headers.set("Sec-WebSocket-Version", "13");
    return response;
  }
  const std::string_view key = headers.get("Sec-WebSocket-Key");
  if (headers.count("Sec-WebSocket-Key") != 1 || !is_key(key)) {
    return refusal(400, "Sec-WebSocket-Key must be given once, as 16 bytes in base64");
  }
  Response response{
      .status = 101,
      .headers = {
          {"Connection", "Upgrade"}, {"Upgrade", "websocket"}, {"Sec-WebSocket-Accept", websocket_accept(key)}}};
  if (protocols.empty()) return response;
  for (const std::string& protocol : offered(headers)) {
    if (!contains(protocols, protocol)) continue;
    response.headers.set("Sec-WebSocket-Protocol", protocol);
    return response;
  }
  return refusal(400, "Sec-WebSocket-Protocol has none of those spoken here: " + joined(protocols));
}

}  // namespace flyball::net
