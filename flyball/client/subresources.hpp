// Subresources that are objects or actions of their own: scale, eviction, binding, token. (status belongs to the verbs:
// client.update_status; log, exec, attach and port-forward are streams and have their own headers.)
//
//   scale<apps::Deployment>(client, {"shop", "web"}, 3);
//   evict(client, {"shop", "web-1"});           // ApiError, is_too_many_requests(): the budget forbids it now
//   bind(client, {"shop", "web-1"}, "node-1");
//   Secret token = request_token(client, {"shop", "builder"}, {.audiences = {"vault"}}).token;
//
// Errors are those of the client. Thread-safety: as the client.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flyball/base/secret.hpp"
#include "flyball/client/client.hpp"
#include "flyball/kube/autoscaling/v1.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::client {

using kube::autoscaling::v1::Scale;

// How many there should be and are, of any kind that has the scale subresource.
template <class T>
Scale get_scale(const Client& client, const ObjectKey& key) {
  return client.of<T>().template get_subresource<Scale>(key, "scale");
}
Patch scale_patch(std::int32_t replicas);
template <class T>
Scale scale(const Client& client, const ObjectKey& key, std::int32_t replicas, const WriteOptions& options = {}) {
  return client.of<T>().template patch_subresource<Scale>(key, "scale", scale_patch(replicas), options);
}

// Deletes a pod if its disruption budgets allow. Not waited for and not tried again when they do not: ApiError 429.
void evict(const Client& client, const ObjectKey& pod, const DeleteOptions& options = {});

// Puts a pod on a node, as a scheduler does.
void bind(const Client& client, const ObjectKey& pod, const std::string& node, const WriteOptions& options = {});

struct TokenOptions {
  std::vector<std::string> audiences = {};               // who shall accept it; empty: the API server
  std::chrono::seconds expires = std::chrono::hours(1);  // asked for; the server may give another
  std::string pod = {};                                  // it is good as long as this pod of the account is there
  std::string pod_uid = {};
};
struct IssuedToken {
  Secret token;
  kube::Time expires;
};
// A token of a service account.
IssuedToken request_token(const Client& client, const ObjectKey& service_account, const TokenOptions& options = {});

}  // namespace flyball::client
