#include "flyball/client/subresources.hpp"

#include "flyball/client/requests.hpp"
#include "flyball/kube/authentication/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/policy/v1.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::client {

namespace core = kube::core::v1;
using kube::meta::v1::Status;

Patch scale_patch(std::int32_t replicas) {
  return Patch::merge(json::object({{"spec", json::object({{"replicas", replicas}})}}));
}

void evict(const Client& client, const ObjectKey& pod, const DeleteOptions& options) {
  kube::policy::v1::Eviction eviction{.metadata = {.name = pod.name, .namespace_ = pod.namespace_}};
  eviction.deleteOptions = reflect::decode<kube::meta::v1::DeleteOptions>(delete_body(options));
  client.of<core::Pod>().post<Status>(pod, "eviction", eviction, {.dry_run = options.dry_run});
}

void bind(const Client& client, const ObjectKey& pod, const std::string& node, const WriteOptions& options) {
  const core::Binding binding{.metadata = {.name = pod.name, .namespace_ = pod.namespace_},
                              .target = {.apiVersion = "v1", .kind = "Node", .name = node}};
  client.of<core::Pod>().post<Status>(pod, "binding", binding, options);
}

IssuedToken request_token(const Client& client, const ObjectKey& service_account, const TokenOptions& options) {
  kube::authentication::v1::TokenRequest request;
  request.spec = {.audiences = options.audiences, .expirationSeconds = options.expires.count()};
  if (!options.pod.empty()) {
    request.spec.boundObjectRef = {{.apiVersion = "v1", .kind = "Pod", .name = options.pod, .uid = options.pod_uid}};
  }
  auto answer =
      client.of<core::ServiceAccount>().post<kube::authentication::v1::TokenRequest>(service_account, "token", request);
  return {Secret(std::move(answer.status.token)), answer.status.expirationTimestamp};
}

}  // namespace flyball::client
