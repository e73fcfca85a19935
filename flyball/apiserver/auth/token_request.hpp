// POST …/serviceaccounts/NAME/token: a token for a service account, as kubelets and `kubectl create token` ask for it.
//
// Thread-safety: a pure function of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

net::Response answer_token_request(Context& context);

// What is told of the key to those who verify tokens themselves: /.well-known/openid-configuration and /openid/v1/jwks.
json::Value openid_configuration();

}  // namespace flyball::apiserver
