#include "flyball/apiserver/after_write.hpp"

#include "flyball/apiserver/admission/quotas.hpp"
#include "flyball/apiserver/definitions.hpp"
#include "flyball/apiserver/namespaces.hpp"
#include "flyball/apiserver/render.hpp"

namespace flyball::apiserver {
namespace {

bool is_definition(const Resource& resource) { return resource.shelf == kDefinitionShelf; }
bool is_namespace(const Resource& resource) { return resource.shelf == "namespaces"; }

bool is_role(const Resource& resource) { return resource.group == "rbac.authorization.k8s.io"; }

}  // namespace

void after_write(World& world, const Object& object, const Object* old) {
  if (is_definition(object.resource())) definition_written(world, object.metadata().name);
  if (is_role(object.resource())) world.auth.rbac().forget();
  if (object.resource().shelf == "resourcequotas") quota_written(world, object, old);
  if (is_namespace(object.resource()) && old == nullptr) fill_namespace(world, object.metadata().name);
}

void after_erase(World& world, const Object& object) {
  if (is_definition(object.resource())) definition_gone(world, object.metadata().name);
  if (is_role(object.resource())) world.auth.rbac().forget();
  if (object.resource().is_custom()) instance_gone(world, object.resource());
}

Revision replace_object(Context& context, Object& object, Revision expected) {
  const Revision revision =
      context.world.store.put(context.store_key(object.metadata().name), expected, [&](Revision next) {
        object.metadata().resourceVersion = std::to_string(next);
        const ResourcePointer storage = context.world.registry.storage_of(object.resource());
        return in_version(*storage, object.text());
      });
  after_write(context.world, object, &object);
  return revision;
}

}  // namespace flyball::apiserver
