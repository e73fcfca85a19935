// Revisions: the templates that a StatefulSet has had, kept as ControllerRevisions.
//
//   Revisions revisions(ctx, set);
//   revisions.update();                                  // the revision of the present template; made if it is new
//   revisions.current();                                 // the one that the pods come from, until all are replaced
//   revisions.forget_oldest({"db-5d8f"});                // what no pod uses, beyond revisionHistoryLimit
//
// A template that comes back is the same revision, with a new number.
//
// Thread-safety: the thread of the pass.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "flyball/kube/apps/v1.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {

class Revisions {
 public:
  Revisions(Context& ctx, const kube::apps::v1::StatefulSet& set);

  const kube::apps::v1::ControllerRevision& update() const { return all_[update_]; }
  const kube::apps::v1::ControllerRevision& current() const { return all_[current_]; }
  static kube::core::v1::PodTemplateSpec template_of(const kube::apps::v1::ControllerRevision& revision);

  void forget_oldest(const std::set<std::string>& in_use);

 private:
  void find_or_make();
  kube::apps::v1::ControllerRevision make(std::int64_t number);

  Context& ctx_;
  const kube::apps::v1::StatefulSet& set_;
  std::vector<kube::apps::v1::ControllerRevision> all_;  // the oldest first
  std::size_t update_ = 0;
  std::size_t current_ = 0;
};

}  // namespace flyball::cluster
