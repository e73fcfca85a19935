// The words of HTTP/1.1: Headers, Request, Response. Plain values; client, server and parser speak in them.
//
//   Request request{.method = "POST", .target = "/api/v1/pods", .body = "{}"};
//   request.headers.set("Content-Type", "application/json");
//
// Header names compare without regard to case and keep the order and spelling they were given.
//
// Thread-safety: values; share them as you share strings. Lifetime: views returned by Headers live as long as the
// header is not changed.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flyball::net {

// Equal without regard to the case of ASCII letters.
bool same_name(std::string_view a, std::string_view b) noexcept;
// One or more of the characters a header name or a method may have.
bool is_token(std::string_view text) noexcept;

class Headers {
 public:
  struct Field {
    std::string name;
    std::string value;
    friend bool operator==(const Field&, const Field&) = default;
  };

  Headers() = default;
  Headers(std::initializer_list<Field> fields) : fields_(fields) {}

  // Of the first field of that name; null without one.
  const std::string* find(std::string_view name) const noexcept;
  // Of the first field of that name; empty without one.
  std::string_view get(std::string_view name) const noexcept;
  bool contains(std::string_view name) const noexcept { return find(name) != nullptr; }
  std::size_t count(std::string_view name) const noexcept;
  // Whether a comma-separated list (Connection, Accept-Encoding) has this word, in any field of that name.
  bool has_word(std::string_view name, std::string_view word) const noexcept;

  void add(std::string name, std::string value) { fields_.push_back({std::move(name), std::move(value)}); }
  // Replaces all fields of that name.
  void set(std::string_view name, std::string value);
  void remove(std::string_view name);

  std::size_t size() const noexcept { return fields_.size(); }
  bool empty() const noexcept { return fields_.empty(); }
  auto begin() const noexcept { return fields_.begin(); }
  auto end() const noexcept { return fields_.end(); }

  friend bool operator==(const Headers&, const Headers&) = default;

 private:
  std::vector<Field> fields_;
};

struct Request {
  std::string method = "GET";
  std::string target = "/";  // as on the wire: path and query, percent-encoded
  Headers headers = {};
  std::string body = {};
  Headers trailers = {};  // of a chunked body
  int minor_version = 1;  // HTTP/1.x
  friend bool operator==(const Request&, const Request&) = default;
};

struct Response {
  int status = 200;
  std::string reason = {};  // empty: the usual words for the status are sent
  Headers headers = {};
  std::string body = {};
  Headers trailers = {};  // of a chunked body
  int minor_version = 1;  // HTTP/1.x
  friend bool operator==(const Response&, const Response&) = default;
};

// "Not Found" for 404; empty for a number we have no words for.
std::string_view status_text(int status) noexcept;

}  // namespace flyball::net
