#include "flyball/apiserver/bootstrap.hpp"

#include <string>

#include "flyball/apiserver/write_chain.hpp"
#include "flyball/json/draft.hpp"

namespace flyball::apiserver {
namespace {

json::Value named(std::string_view name) { return json::object({{"metadata", json::object({{"name", name}})}}); }

// Where the server is reached: the first address of the range, as upstream has it.
json::Value kubernetes_service(std::string_view range) {
  const std::string_view network = range.substr(0, range.find_last_of('.'));
  const std::string address = std::string(network) + ".1";
  json::Draft draft(json::object(
      {{"metadata",
        json::object({{"name", "kubernetes"},
                      {"labels", json::object({{"component", "apiserver"}, {"provider", "kubernetes"}})}})}}));
  draft.set(
      "/spec",
      json::object({{"clusterIP", address},
                    {"clusterIPs", json::array({address})},
                    {"ports", json::array({json::object(
                                  {{"name", "https"}, {"protocol", "TCP"}, {"port", 443}, {"targetPort", 6443}})})},
                    {"sessionAffinity", "None"},
                    {"type", "ClusterIP"}}));
  return draft.build();
}

json::Value kubernetes_slice(std::string_view address) {
  const std::size_t colon = address.find_last_of(':');
  const std::string host(address.substr(0, colon));
  const int port = std::stoi(std::string(address.substr(colon + 1)));
  return json::object(
      {{"metadata", json::object({{"name", "kubernetes"},
                                  {"labels", json::object({{"kubernetes.io/service-name", "kubernetes"}})}})},
       {"addressType", "IPv4"},
       {"endpoints", json::array({json::object(
                         {{"addresses", json::array({host})}, {"conditions", json::object({{"ready", true}})}})})},
       {"ports", json::array({json::object({{"name", "https"}, {"port", port}, {"protocol", "TCP"}})})}});
}

}  // namespace

void ensure_object(World& world, std::string_view group, std::string_view version, std::string_view plural,
                   std::string_view space, const json::Value& object) {
  net::Request request{.method = "POST"};
  request.target =
      group.empty() ? "/api/" + std::string(version) : "/apis/" + std::string(group) + "/" + std::string(version);
  if (!space.empty()) request.target += "/namespaces/" + std::string(space);
  request.target += "/" + std::string(plural);
  const Call call(request, {.common_name = "system:apiserver", .organizations = {"system:masters"}});
  Context context{.world = world, .call = call, .resource = world.registry.find(group, version, plural)};
  const StoreKey key = context.store_key(object["metadata"]["name"].as_string());
  if (world.store.find(key)) return;
  try {
    Object made = Object::from(context.resource, object);
    set_defaults(made);
    const WriteOptions options{.manager = "kube-apiserver"};
    begin_new(context, made, options);
    create_object(context, std::move(made), options);
  } catch (const Refusal& refusal) {
    if (!refusal.is_already_exists()) throw;
  }
}

void bootstrap(World& world) {
  for (const std::string_view name : {"kube-system", "kube-public", "kube-node-lease", "default"}) {
    ensure_object(world, "", "v1", "namespaces", "", named(name));
  }
  const auto add_class = [&](std::string_view name, std::int64_t value, std::string_view what) {
    ensure_object(
        world, "scheduling.k8s.io", "v1", "priorityclasses", "",
        json::object({{"metadata", json::object({{"name", name}})}, {"value", value}, {"description", what}}));
  };
  add_class("system-node-critical", 2'000'001'000, "Pods that a node cannot do without.");
  add_class("system-cluster-critical", 2'000'000'000, "Pods that the cluster cannot do without.");
  if (world.options.address.empty()) return;  // nobody reaches it
  ensure_object(world, "", "v1", "services", "default", kubernetes_service(world.options.service_range));
  if (world.options.address.starts_with("127.")) return;  // nothing but this machine reaches it: no endpoint to tell
  ensure_object(world, "discovery.k8s.io", "v1", "endpointslices", "default", kubernetes_slice(world.options.address));
}

}  // namespace flyball::apiserver
