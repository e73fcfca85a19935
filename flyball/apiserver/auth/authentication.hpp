// Authentication: who sends a request, by the certificate of the connection or the token in its headers.
//
//   const User user = authenticate(world, request, writer.identity());     // throws Refusal 401
//
// A token of a service account is worth something as long as the account lives, and the pod it was made for. Who shows
// nothing is system:anonymous: what that may do is for authorization.hpp to say.
//
// Thread-safety: pure functions of a World.
#pragma once

#include <string_view>
#include <vector>

#include "flyball/apiserver/auth/user.hpp"
#include "flyball/apiserver/context.hpp"
#include "flyball/net/http.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::apiserver {

User authenticate(World& world, const net::Request& request, const net::PeerIdentity& peer);

// Of a token that is meant for one of these. Throws TokenError that says what is wrong with it.
User user_of_token(World& world, std::string_view token, const std::vector<std::string>& audiences);

// Takes over the identity that the Impersonate headers ask for, when the caller may have it.
void impersonate(World& world, Call& call);

}  // namespace flyball::apiserver
