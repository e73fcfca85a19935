#include "flyball/cluster/controllers/owner_graph.hpp"

#include <algorithm>
#include <utility>

namespace flyball::cluster {

std::vector<std::string> OwnerGraph::put(OwnedNode node) {
  const MutexLock lock(mutex_);
  Uids news;
  const auto before = nodes_.find(node.uid);
  const bool waited = before != nodes_.end() && (before->second.foreground || before->second.orphans);
  if (before != nodes_.end()) {
    // A reference that went, or that blocks no more, may be the last that an owner waited for.
    if (before->second.owners != node.owners) add_waiting_owners(before->second, news);
    unlink(before->second);
  }
  const bool changed = before == nodes_.end() || before->second.owners != node.owners;
  link(node);
  const bool uncertain = std::ranges::any_of(
      node.owners, [&](const auto& owner) FLYBALL_REQUIRES(mutex_) { return state_of(node, owner) != Owner::there; });
  if (changed && uncertain && !node.going) news.insert(node.uid);
  if ((node.foreground || node.orphans) && !waited) {
    news.insert(node.uid);
    add_dependents(node.uid, news);
  }
  nodes_.insert_or_assign(node.uid, std::move(node));
  return {news.begin(), news.end()};
}

void OwnerGraph::erase(const std::string& uid, Uids& news) {
  constexpr std::size_t kRemembered = 1000;
  const auto found = nodes_.find(uid);
  if (found == nodes_.end()) return;
  add_waiting_owners(found->second, news);
  unlink(found->second);
  nodes_.erase(found);
  news.erase(uid);
  if (!dependents_.contains(uid)) return;
  add_dependents(uid, news);
  if (!gone_.insert(uid).second) return;
  gone_order_.push_back(uid);
  if (gone_order_.size() <= kRemembered) return;
  gone_.erase(gone_order_.front());
  gone_order_.pop_front();
}

std::vector<std::string> OwnerGraph::remove(const std::string& uid) {
  const MutexLock lock(mutex_);
  Uids news;
  erase(uid, news);
  return {news.begin(), news.end()};
}

std::vector<std::string> OwnerGraph::remove_all(const client::Resource& resource) {
  const MutexLock lock(mutex_);
  std::vector<std::string> uids;
  for (const auto& [uid, node] : nodes_) {
    if (node.resource->resource() == resource.resource()) uids.push_back(uid);
  }
  Uids news;
  for (const std::string& uid : uids) erase(uid, news);
  return {news.begin(), news.end()};
}

void OwnerGraph::clear() {
  const MutexLock lock(mutex_);
  nodes_.clear();
  dependents_.clear();
}

std::optional<OwnedNode> OwnerGraph::find(const std::string& uid) const {
  const MutexLock lock(mutex_);
  const auto found = nodes_.find(uid);
  if (found == nodes_.end()) return std::nullopt;
  return found->second;
}

std::vector<OwnedNode> OwnerGraph::dependents(const std::string& uid) const {
  const MutexLock lock(mutex_);
  std::vector<OwnedNode> all;
  const auto found = dependents_.find(uid);
  if (found == dependents_.end()) return all;
  for (const std::string& dependent : found->second) all.push_back(nodes_.at(dependent));
  return all;
}

OwnerGraph::Owner OwnerGraph::state(const OwnedNode& of, const kube::meta::v1::OwnerReference& owner) const {
  const MutexLock lock(mutex_);
  return state_of(of, owner);
}

OwnerGraph::Owner OwnerGraph::state_of(const OwnedNode& of, const kube::meta::v1::OwnerReference& owner) const {
  if (gone_.contains(owner.uid)) return Owner::gone;
  const auto found = nodes_.find(owner.uid);
  if (found == nodes_.end()) return Owner::uncertain;
  const OwnedNode& node = found->second;
  const bool reached = node.key.name == owner.name && node.resource->kind.kind == owner.kind &&
                       kube::GroupVersionKind::parse(owner.apiVersion, owner.kind).group == node.resource->kind.group &&
                       (!node.resource->namespaced || node.key.namespace_ == of.key.namespace_);
  return reached && !node.going ? Owner::there : Owner::uncertain;
}

std::size_t OwnerGraph::size() const {
  const MutexLock lock(mutex_);
  return nodes_.size();
}

void OwnerGraph::link(const OwnedNode& node) {
  for (const auto& owner : node.owners) dependents_[owner.uid].insert(node.uid);
}

void OwnerGraph::unlink(const OwnedNode& node) {
  for (const auto& owner : node.owners) {
    const auto found = dependents_.find(owner.uid);
    if (found == dependents_.end()) continue;
    found->second.erase(node.uid);
    if (found->second.empty()) dependents_.erase(found);
  }
}

void OwnerGraph::add_waiting_owners(const OwnedNode& of, Uids& to) const {
  for (const auto& owner : of.owners) {
    const auto found = nodes_.find(owner.uid);
    if (found != nodes_.end() && found->second.foreground) to.insert(owner.uid);
  }
}

void OwnerGraph::add_dependents(const std::string& uid, Uids& to) const {
  const auto found = dependents_.find(uid);
  if (found != dependents_.end()) to.insert(found->second.begin(), found->second.end());
}

}  // namespace flyball::cluster
