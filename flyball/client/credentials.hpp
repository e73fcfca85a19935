// The credentials that need nobody's help. Those that run a command (exec_credentials.hpp) or ask an identity provider
// (oidc_credentials.hpp) have headers of their own.
//
//   config.credentials = bearer_token(Secret("eyJhbGciOi..."));
//   config.credentials = token_file("/var/run/secrets/kubernetes.io/serviceaccount/token");
//
// Thread-safety: what is returned may be used from any thread.
#pragma once

#include <memory>
#include <string>

#include "flyball/base/log.hpp"
#include "flyball/base/secret.hpp"
#include "flyball/client/config.hpp"

namespace flyball::client {

// "Authorization: Bearer <token>".
std::shared_ptr<Credentials> bearer_token(const Secret& token);

// "Authorization: Basic ...": a name and a password.
std::shared_ptr<Credentials> basic_auth(const std::string& user, const Secret& password);

struct TokenFileOptions {
  Secret first = {};  // used until the file can be read
  Logger log = {};
};

// A bearer token from a file, which is read for every request: a token that was replaced is used at once. While the
// file is empty or cannot be read the last token stays in use, with a warning in the log.
std::shared_ptr<Credentials> token_file(std::string path, TokenFileOptions options = {});

}  // namespace flyball::client
