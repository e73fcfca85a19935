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

ServiceWrite::ServiceWrite(Context& context, Object& object, const Object* old, bool dry_run) : world_(context.world) {
  if (object.resource().shelf != "services" || context.call.subresource == "status") return;
  const MutexLock lock(world_.services.mutex);
  TakenAddresses all = taken(world_, context.resource);
  for (const auto& [ticket, addresses] : world_.services.reserved) {
    all.ips.insert(addresses.ips.begin(), addresses.ips.end());
    all.ports.insert(addresses.ports.begin(), addresses.ports.end());
  }
  Problems problems;
  allocate_service(object.as<core::Service>(), old == nullptr ? nullptr : &old->as<core::Service>(),
                   {.cidr = world_.options.service_range, .dry_run = dry_run}, all, world_.random, problems);
  refuse_all(object, problems);
  ticket_ = ++world_.services.last;
  TakenAddresses own;
  own.add(object.as<core::Service>());
  // What it had before is its own: another write of the same Service may keep it.
  if (old != nullptr) {
    TakenAddresses before;
    before.add(old->as<core::Service>());
    for (const std::string& ip : before.ips) own.ips.erase(ip);
    for (const std::int32_t port : before.ports) own.ports.erase(port);
  }
  world_.services.reserved.emplace(ticket_, std::move(own));
}

ServiceWrite::~ServiceWrite() {
  if (ticket_ == 0) return;
  const MutexLock lock(world_.services.mutex);
  world_.services.reserved.erase(ticket_);
}

}  // namespace flyball::apiserver
