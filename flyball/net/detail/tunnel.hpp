// The first words to a proxy, which make it a tunnel to somewhere else.
#pragma once

#include <string>

#include "flyball/base/stop.hpp"
#include "flyball/net/stream.hpp"
#include "flyball/net/url.hpp"

namespace flyball::net::detail {

// HTTP CONNECT. Throws NetError (kProxy) when the proxy says no.
void open_http_tunnel(Stream& proxy, const Url& proxy_url, const Url& target, const Stop& stop);
// SOCKS5 with names resolved by the proxy, with or without a password.
void open_socks_tunnel(Stream& proxy, const Url& proxy_url, const Url& target, const Stop& stop);

// "Basic ..." for the user and password of the proxy's URL; empty without a user.
std::string proxy_authorization(const Url& proxy_url);

}  // namespace flyball::net::detail
