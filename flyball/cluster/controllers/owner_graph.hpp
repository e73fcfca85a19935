// OwnerGraph: who owns whom, of all objects of all kinds. The garbage collector's memory.
//
//   for (const auto& uid : graph.put(node)) look_at(uid);             // what that object's change is news for
//   for (const auto& uid : graph.remove(node.uid)) look_at(uid);
//
// It gives advice, and may be behind: whoever acts on it asks the server first.
//
// Thread-safety: all members may be called from any thread.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "flyball/base/mutex.hpp"
#include "flyball/client/resource.hpp"
#include "flyball/kube/meta/v1.hpp"

namespace flyball::cluster {

struct OwnedNode {
  std::string uid = {};
  std::shared_ptr<const client::Resource> resource = {};
  kube::ObjectKey key = {};
  std::vector<kube::meta::v1::OwnerReference> owners = {};
  bool going = false;       // it was deleted, and waits for something
  bool orphans = false;     // for those it owns to be let go
  bool foreground = false;  // for those it owns to go first
};

class OwnerGraph {
 public:
  // Both give the uids of objects that should be looked at: what has lost its owner or may have, what waits for what it
  // owns.
  std::vector<std::string> put(OwnedNode node);
  std::vector<std::string> remove(const std::string& uid);
  // Everything of that kind, which the server has no more.
  std::vector<std::string> remove_all(const client::Resource& resource);

  void clear();

  std::optional<OwnedNode> find(const std::string& uid) const;
  // What names it as an owner.
  std::vector<OwnedNode> dependents(const std::string& uid) const;

  enum class Owner {
    there,      // seen, where the reference says it is, and not going
    gone,       // seen to go: a uid does not come back
    uncertain,  // ask the server
  };
  Owner state(const OwnedNode& of, const kube::meta::v1::OwnerReference& owner) const;

  std::size_t size() const;

 private:
  using Uids = std::set<std::string>;
  Owner state_of(const OwnedNode& of, const kube::meta::v1::OwnerReference& owner) const FLYBALL_REQUIRES(mutex_);
  void link(const OwnedNode& node) FLYBALL_REQUIRES(mutex_);
  void unlink(const OwnedNode& node) FLYBALL_REQUIRES(mutex_);
  void add_waiting_owners(const OwnedNode& of, Uids& to) const FLYBALL_REQUIRES(mutex_);
  void add_dependents(const std::string& uid, Uids& to) const FLYBALL_REQUIRES(mutex_);
  void erase(const std::string& uid, Uids& news) FLYBALL_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::map<std::string, OwnedNode> nodes_ FLYBALL_GUARDED_BY(mutex_);
  std::map<std::string, Uids> dependents_
      FLYBALL_GUARDED_BY(mutex_);  // by the owner's uid, whether it is a node or not
  // The latest that went while something named them as owner.
  std::set<std::string> gone_ FLYBALL_GUARDED_BY(mutex_);
  std::deque<std::string> gone_order_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace flyball::cluster
