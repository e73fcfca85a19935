#include "flyball/apiserver/namespaces.hpp"

#include "flyball/apiserver/bootstrap.hpp"
#include "flyball/apiserver/decode.hpp"
#include "flyball/apiserver/managed_fields.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/write_chain.hpp"
#include "flyball/apiserver/writes.hpp"

namespace flyball::apiserver {

namespace core = kube::core::v1;

bool begin_namespace_end(Context& context, Object& object) {
  auto& space = object.as<core::Namespace>();
  if (space.metadata.deletionTimestamp) return false;
  space.metadata.deletionTimestamp = context.now();
  space.status.phase = "Terminating";
  return true;
}

net::Response finalize_namespace(Context& context) {
  const WriteOptions options = write_options(context.call, WriteKind::update);
  Decoded body = decode_body(context.call, context.resource, options.validation);
  check_name(body.object, context.call.name);
  const UpdateRequest request{.name = context.call.name, .uid_is_condition = true, .unchecked = true};
  const Written updated = update_object(context, request, options, [&](const Object* live) {
    Object next = live->copy();
    next.as<core::Namespace>().spec.finalizers = body.object.as<core::Namespace>().spec.finalizers;
    next.metadata().resourceVersion = body.object.metadata().resourceVersion;
    next.metadata().uid = body.object.metadata().uid;
    track_write(context, next, live, options, context.call.subresource);
    return next;
  });
  return render_written(context, 200, updated);
}

namespace {

constexpr const char* kAboutRootCa =
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the "
    "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes "
    "clusters.";

}  // namespace

void fill_namespace(World& world, const std::string& name) {
  if (!world.options.namespace_defaults) return;
  ensure_object(world, "", "v1", "serviceaccounts", name,
                json::object({{"metadata", json::object({{"name", "default"}})}}));
  const json::Value about = json::object({{"kubernetes.io/description", kAboutRootCa}});
  ensure_object(world, "", "v1", "configmaps", name,
                json::object({{"metadata", json::object({{"name", "kube-root-ca.crt"}, {"annotations", about}})},
                              {"data", json::object({{"ca.crt", world.options.root_ca}})}}));
}

}  // namespace flyball::apiserver
