// Call: one request to the API, taken apart: what is asked of which resource, by whom, and how the answer shall look.
//
//   const Call call(request, caller);
//   call.verb          // Verb::list
//   call.group         // "apps"; empty for the core group
//   call.resource      // "deployments"; empty for what is no resource (/version, discovery)
//   call.query["limit"]
//
// Thread-safety: a value. Lifetime: the request outlives the call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/net/http.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::apiserver {

enum class Verb : std::uint8_t { none, get, list, watch, create, update, patch, remove, remove_collection };

// As roles name it: "get", "deletecollection".
std::string_view to_string(Verb verb) noexcept;

// The parameters behind the "?".
class Params {
 public:
  Params() = default;
  // Throws Refusal 400 for a wrong escape.
  explicit Params(std::string_view query);

  // The first of that name; empty without one.
  std::string_view operator[](std::string_view name) const noexcept;
  bool contains(std::string_view name) const noexcept;
  std::vector<std::string> all(std::string_view name) const;

  // As Go reads parameters: a flag is false only as "false" and "0". Throws Refusal 400 for a number that is none.
  bool flag(std::string_view name) const noexcept;
  std::optional<bool> maybe_flag(std::string_view name) const noexcept;
  std::optional<std::int64_t> integer(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

struct Call {
  Call(const net::Request& request, const net::PeerIdentity& caller);

  const net::Request* request;
  net::PeerIdentity caller;
  std::string path;                // decoded, without the query
  std::vector<std::string> parts;  // of the path
  Params query;

  Verb verb = Verb::none;
  bool is_resource = false;  // /api/v1/… or /apis/G/V/…
  std::string group = {};
  std::string version = {};
  std::string namespace_ = {};
  std::string resource = {};
  std::string name = {};
  std::string subresource = {};

  std::string_view header(std::string_view which) const noexcept { return request->headers.get(which); }
  bool namespaced() const noexcept { return !namespace_.empty(); }

 private:
  void read_resource();
  void choose_verb(bool watch_by_path);
};

// The part of "a/b; q=1" before the first ";", without blanks, in lower case.
std::string media_type_of(std::string_view header);

}  // namespace flyball::apiserver
