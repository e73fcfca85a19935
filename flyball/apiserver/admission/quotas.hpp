// ResourceQuotas: how much a namespace may have. A write that would take more is refused; what was taken stands in the
// status of each quota, exactly, however many write at once.
//
//   QuotaWrite quota(context, &object, old, dry_run);      // 403 when it is too much; charged from here on
//   store.put(…);
//   quota.done();                                          // without it everything is given back
//
// As upstream, a quota counts what its status says (status.hard, status.used). With EngineOptions::quota_status the
// server writes that itself: when a quota is made or changed, and with every object that comes, changes or goes.
//
// Thread-safety: one write has one QuotaWrite; it holds World::quotas where the namespace has quotas, for the time of
// the write to the store. Lifetime: context and objects outlive it.
#pragma once

#include <string>
#include <vector>

#include "flyball/apiserver/admission/usage.hpp"
#include "flyball/apiserver/context.hpp"

namespace flyball::apiserver {

class QuotaWrite {
 public:
  // `object` is null on delete, `old` on create.
  // The lock is held from here to done(), which no annotation can say of a lock that is only sometimes taken.
  QuotaWrite(Context& context, const Object* object, const Object* old, bool dry_run) FLYBALL_NO_THREAD_SAFETY_ANALYSIS;
  ~QuotaWrite() FLYBALL_NO_THREAD_SAFETY_ANALYSIS;
  QuotaWrite(const QuotaWrite&) = delete;
  QuotaWrite& operator=(const QuotaWrite&) = delete;

  // The write has happened.
  void done() FLYBALL_NO_THREAD_SAFETY_ANALYSIS;

 private:
  struct Change {
    std::string key = {};  // of the quota
    Amounts delta = {};
  };
  void weigh(const Object* object, const Object* old, bool dry_run);
  void apply(const std::vector<Change>& changes, bool back);
  void unlock() FLYBALL_NO_THREAD_SAFETY_ANALYSIS;

  Context& context_;
  std::string namespace_;
  bool held_ = false;
  bool watched_ = false;              // no quota was there: one may come before the write is done
  std::vector<Change> charged_ = {};  // stands in the status already
  std::vector<Change> later_ = {};    // will, once it is done
};

// A quota was written: its status is counted anew where the server does that.
void quota_written(World& world, const Object& quota, const Object* old);
// All quotas of a namespace, or of all.
void recount_quotas(World& world, const std::string& space = {});

}  // namespace flyball::apiserver
