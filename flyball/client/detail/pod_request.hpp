// Requests to subresources of a pod that go on: log, exec, attach, portforward.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/client/client.hpp"
#include "flyball/net/url.hpp"
#include "flyball/net/websocket.hpp"

namespace flyball::client::detail {

// "/api/v1/namespaces/shop/pods/web-1/log?follow=true". Throws InputError for a pod without a name.
std::string pod_target(const Client& client, const ObjectKey& pod, std::string_view subresource,
                       const net::Query& query);

// The client's stop, with its timeout as deadline: for the time until the server has answered.
Stop until_answered(const Client& client);

// Asks for a WebSocket with one of the subprotocols; which, is in the socket. Throws ApiError when the server refuses.
std::unique_ptr<net::WebSocket> open_pod_socket(const Client& client, std::string target,
                                                const std::vector<std::string>& protocols);

}  // namespace flyball::client::detail
