// Whether a certificate and a private key belong together.
//
// Thread-safety: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace flyball::net {

// Of two PEM texts: what is wrong with them, in the words of Go's crypto/tls, which people know from kube-apiserver and
// ingress controllers ("tls: private key does not match public key"). Empty when nothing is.
std::string key_pair_problem(std::string_view certificate, std::string_view key);

}  // namespace flyball::net
