#include "flyball/apiserver/service_writes.hpp"

#include "flyball/apiserver/kinds/service_addresses.hpp"
#include "flyball/apiserver/refusal.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

TakenAddresses taken(const World& world, const ResourcePointer& services) {
  TakenAddresses all;
  for (const auto& [key, stored] : world.store.list(services->shelf).items) {
    all.add(Object::parse(services, *stored.bytes).as<core::Service>());
  }
  return all;
}

void refuse_all(const Object& object, const Problems& problems) {
  if (problems.empty()) return;
  for (const Problem& problem : problems) {
    if (problem.kind == Problem::Kind::internal) {
      throw Refusal({.code = 500, .message = problem.message}, {.present = false, .reason = false});
    }
  }
  throw refuse::invalid(object.resource().group_kind(), object.metadata().name, problems);
}

}  // namespace

ServiceWrite::ServiceWrite(Context& context, Object& object, const Object* old, bool dry_run)
    : mutex_(context.world.services) {
  if (object.resource().shelf != "services" || context.call.subresource == "status") return;
  mutex_.lock();
  held_ = true;
  try {
    Problems problems;
    allocate_service(object.as<core::Service>(), old == nullptr ? nullptr : &old->as<core::Service>(),
                     {.cidr = context.world.options.service_range, .dry_run = dry_run},
                     taken(context.world, context.resource), context.world.random, problems);
    refuse_all(object, problems);
  } catch (...) {
    mutex_.unlock();
    throw;
  }
}

ServiceWrite::~ServiceWrite() {
  if (held_) mutex_.unlock();
}

}  // namespace flyball::apiserver
