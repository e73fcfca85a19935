// ServiceWrite: while a Service is written, its addresses and ports are its own.
//
//   const ServiceWrite service(context, object, &live, dry_run);      // for any object; does something only for
//   Services
//
// What it was given is kept for it as long as this lives, so that nothing is given twice; no lock is held meanwhile.
//
// Thread-safety: belongs to one request. Lifetime: the context outlives it.
#pragma once

#include <cstdint>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"

namespace flyball::apiserver {

class ServiceWrite {
 public:
  // Gives the Service what it asks for. Throws Refusal 422 for what is taken.
  ServiceWrite(Context& context, Object& object, const Object* old, bool dry_run);
  ~ServiceWrite();
  ServiceWrite(const ServiceWrite&) = delete;
  ServiceWrite& operator=(const ServiceWrite&) = delete;

 private:
  World& world_;
  std::uint64_t ticket_ = 0;  // 0: nothing is kept
};

}  // namespace flyball::apiserver
