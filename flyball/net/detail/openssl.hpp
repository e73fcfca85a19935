// OpenSSL's objects with owners. The types are only named here; their header stays in the .cpp files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "flyball/net/certificate.hpp"

struct bio_st;
struct evp_pkey_st;
struct ssl_ctx_st;
struct ssl_st;
struct x509_st;

namespace flyball::net::detail {

struct OpensslFree {
  void operator()(bio_st* bio) const noexcept;
  void operator()(evp_pkey_st* key) const noexcept;
  void operator()(ssl_ctx_st* context) const noexcept;
  void operator()(ssl_st* ssl) const noexcept;
  void operator()(x509_st* certificate) const noexcept;
};
template <class T>
using Owned = std::unique_ptr<T, OpensslFree>;

// The oldest error of this thread's queue as text, and the queue emptied.
std::string openssl_error();

// `what` says in the InputError which text is wrong: "the client certificate".
std::vector<Owned<x509_st>> certificates_from_pem(const std::string& pem, const std::string& what);
Owned<evp_pkey_st> key_from_pem(const Secret& pem, const std::string& what);
CertificateFacts facts_of(x509_st* certificate);

}  // namespace flyball::net::detail
