// Predicate: which changes of an object are worth a pass. What goes always is; what comes too, for those given here.
//
//   op.reconcile<Memcached>(reconcile).when(generation_changed());                       // not its status
//   op.reconcile<Node>(reconcile).when(either(labels_changed(), annotations_changed()));
//   op.reconcile<Pod>(reconcile).when([](const Change& change) { return is_ready(change.object().as<Pod>()); });
//
// Rarely needed: an operator is not woken by its own writes anyway.
//
// A predicate of your own is asked also of what comes: an object that it keeps out has its first pass with the first
// change that it lets in. cache::Change has the object as it was and as it is. One that throws lets the change pass.
//
// Thread-safety: called on the thread of the watch, one at a time.
#pragma once

#include <functional>

#include "flyball/cache/change.hpp"

namespace flyball::runtime {

using Predicate = std::function<bool(const cache::Change&)>;

// What the object asks for has changed: kinds count its versions, and leave out the status. Deletion counts.
Predicate generation_changed();
Predicate labels_changed();
Predicate annotations_changed();
Predicate either(Predicate one, Predicate other);
Predicate both(Predicate one, Predicate other);

}  // namespace flyball::runtime

namespace flyball {
using runtime::annotations_changed;
using runtime::both;
using runtime::either;
using runtime::generation_changed;
using runtime::labels_changed;
}  // namespace flyball
