// ReadSet: what one pass over a key has read, and what it wrote. Filled by the pass, then handed to RememberedReads.
//
//   ReadSet reads = remembered.begin(key);
//   reads.object(kConfigMap, {"shop", "settings"});                    // whether it was there or not
//   reads.list(kPod, "shop", Selector::parse("app=web"));              // everything that matches
//   reads.children(kDeployment, memcached.metadata.uid);               // everything that has this owner
//   reads.written(kDeployment, {"shop", "web"}, "4711");               // our own doing: its echo wakes us not
//   remembered.finish(std::move(reads));
//
// Say what you read just before you read it: a change that comes in between is then one the pass has perhaps not seen.
//
// Thread-safety: belongs to one pass, so to one thread at a time. Lifetime: its RememberedReads outlives it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/kube/resource_key.hpp"
#include "flyball/kube/selector.hpp"
#include "flyball/runtime/key.hpp"

namespace flyball::runtime {

class RememberedReads;

// One read. Which members count is said by `type`.
struct Read {
  enum class Type : std::uint8_t { object, list, children };

  Type type = Type::object;
  kube::GroupVersionKind kind = {};
  std::string namespace_ = {};   // of an object or a list; a list without one is of all namespaces
  std::string name = {};         // of an object; the owner's uid for children
  kube::Selector selector = {};  // of a list
  std::string identity = {};     // equal for equal reads
  std::uint64_t seen = 0;        // the last change that was known before it was read

  std::string to_string() const;  // "v1 ConfigMap shop/settings", "v1 Pod in shop where app=web"
};

// A write of our own.
struct Write {
  kube::GroupVersionKind kind = {};
  kube::ObjectKey object = {};
  std::string resource_version = {};  // that it has since; empty: it was deleted
  std::string uid = {};               // of what was deleted: a new object of the name has another

  friend bool operator==(const Write&, const Write&) = default;
};

class [[nodiscard]] ReadSet {
 public:
  ReadSet(ReadSet&& other) noexcept;
  ReadSet& operator=(ReadSet&&) = delete;
  ~ReadSet();  // abandon, if it was not handed over

  void object(const kube::GroupVersionKind& kind, const kube::ObjectKey& object);
  // `in_namespace` empty: all of them.
  void list(const kube::GroupVersionKind& kind, std::string_view in_namespace, const kube::Selector& selector);
  void children(const kube::GroupVersionKind& kind, std::string_view owner_uid);

  void written(const kube::GroupVersionKind& kind, const kube::ObjectKey& object, std::string resource_version);
  void deleted(const kube::GroupVersionKind& kind, const kube::ObjectKey& object, std::string uid);

  const Key& key() const { return key_; }
  // By identity.
  const std::map<std::string, Read>& reads() const { return reads_; }
  const std::vector<Write>& writes() const { return writes_; }

 private:
  friend class RememberedReads;
  ReadSet(RememberedReads& remembered, Key key, std::uint64_t begun);
  void add(Read read);

  RememberedReads* remembered_;  // null when it was handed over
  Key key_;
  std::uint64_t begun_;  // the last change before the pass
  std::map<std::string, Read> reads_;
  std::vector<Write> writes_;
};

}  // namespace flyball::runtime
