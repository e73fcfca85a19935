// ServiceWrite: while a Service is written, its addresses and ports are its own.
//
//   const ServiceWrite service(context, object, &live, dry_run);      // for any object; does something only for
//   Services
//
// Holds the lock of all Services for as long as it lives, so that nothing is given twice.
#pragma once

#include <optional>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"

namespace flyball::apiserver {

class ServiceWrite {
 public:
  // Gives the Service what it asks for. Throws Refusal 422 for what is taken.
  // The lock is held from here to the end, which no annotation can say of a lock that is only sometimes taken.
  ServiceWrite(Context& context, Object& object, const Object* old, bool dry_run) FLYBALL_NO_THREAD_SAFETY_ANALYSIS;
  ~ServiceWrite() FLYBALL_NO_THREAD_SAFETY_ANALYSIS;
  ServiceWrite(const ServiceWrite&) = delete;
  ServiceWrite& operator=(const ServiceWrite&) = delete;

 private:
  Mutex& mutex_;
  bool held_ = false;
};

}  // namespace flyball::apiserver
