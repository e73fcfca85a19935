// The garbage collector: what has lost all its owners goes too, and what was deleted waits for those it owns as it was
// asked to.
//
//   cluster::declare_garbage_collector(op);
//
// - background: the owner is gone at once, what it owned follows;
// - foreground (finalizer foregroundDeletion): the owner stays until all that block its deletion are gone;
// - orphan (finalizer orphan): what it owns loses the reference, then it goes.
//
// It follows the metadata of every kind that can be listed, watched and deleted, also of custom resources that come
// while it runs. An owner counts by its uid: another object of its name is none. Nothing is deleted before the server
// was asked about it and its owners.
//
// Thread-safety: as Operator.
#pragma once

#include "flyball/runtime/operator.hpp"

namespace flyball::cluster {

void declare_garbage_collector(runtime::Operator& op);

}  // namespace flyball::cluster
