// The requests of a watch. Private to the room.
#pragma once

#include <string>
#include <string_view>

#include "flyball/base/clock.hpp"
#include "flyball/client/watch.hpp"
#include "flyball/net/http.hpp"

namespace flyball::client::detail {

// A page of the list; `page_token` is where the page before it ended.
net::Request list_request(const WatchOptions& options, std::string_view page_token, std::size_t page_size);
// What changed after `resource_version`.
net::Request watch_request(const WatchOptions& options, std::string_view resource_version, Duration life);
// Everything there is, then a bookmark that says so, then what changes.
net::Request watch_list_request(const WatchOptions& options, Duration life);

// "pods", "deployments.apps": as kubectl names it.
std::string resource_name(const WatchOptions& options);
// Which of them: "namespace shop, app=web"; empty for all.
std::string scope_text(const WatchOptions& options);
// Throws InputError when no server could answer it.
void check(const WatchOptions& options);

}  // namespace flyball::client::detail
