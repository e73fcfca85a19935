// claim: what a controller's selector chooses becomes its own, and what it no longer chooses is let go.
//
//   const auto pods = claim<core::Pod>(ctx, set, selector_of(set.spec.selector), is_active);
//
// An object that nobody controls and that matches is adopted: it gets a controller reference. One that the owner
// controls and that does not match any more is released: the reference goes. What somebody else controls is left alone,
// and so is what is going. `which` says which objects are looked at at all.
//
// Both reads are remembered: an orphan that comes to match wakes the owner.
//
// Errors: a Conflict when somebody was faster; the pass is tried again. Thread-safety: the thread of the pass.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "flyball/base/error.hpp"
#include "flyball/kube/owner.hpp"
#include "flyball/kube/selector.hpp"
#include "flyball/runtime/context.hpp"

namespace flyball::cluster {

namespace detail {

inline bool has_controller(const kube::Metadata& metadata) {
  for (const auto& owner : metadata.owners) {
    if (owner.controller) return true;
  }
  return false;
}

// Past the cache: an owner that is going must not adopt, or what it adopts goes with it.
template <class Owner>
void check_may_adopt(const Context& ctx, const Owner& owner) {
  const auto fresh = ctx.live().template get<Owner>({owner.metadata.namespace_, owner.metadata.name});
  if (fresh.metadata.uid != owner.metadata.uid) {
    throw Error("original " + ctx.key().to_string() + " is gone: got uid " + fresh.metadata.uid + ", wanted " +
                owner.metadata.uid);
  }
  if (fresh.metadata.deletionTimestamp) {
    throw Error(ctx.key().to_string() + " has just been deleted at " + fresh.metadata.deletionTimestamp->to_string());
  }
}

}  // namespace detail

template <class T, class Owner>
std::vector<T> claim(Context& ctx, const Owner& owner, const kube::Selector& selector,
                     const std::function<bool(const T&)>& which) {
  std::vector<T> mine;
  for (T& object : ctx.children<T>()) {
    if (!kube::is_controlled_by(object, owner) || !which(object)) continue;
    if (selector.matches(object.metadata.labels)) {
      mine.push_back(std::move(object));
      continue;
    }
    T released = object;
    kube::remove_owner(released, owner);
    ctx.update(object, released);
  }
  std::vector<T> orphans;
  ctx.each<T>({.selector = selector}, [&](const cache::Object& object) {
    const kube::Metadata metadata = object.metadata();
    if (!metadata.deletion_timestamp && !detail::has_controller(metadata)) orphans.push_back(object.template as<T>());
  });
  std::erase_if(orphans, [&](const T& orphan) { return !which(orphan); });
  if (!orphans.empty()) detail::check_may_adopt(ctx, owner);
  for (const T& orphan : orphans) {
    T adopted = orphan;
    kube::set_owner(adopted, owner);
    mine.push_back(ctx.update(orphan, adopted));
  }
  return mine;
}

}  // namespace flyball::cluster
