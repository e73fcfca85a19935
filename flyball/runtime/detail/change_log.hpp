// The changes that passes which run now may have missed, and the echoes of our own writes. See remembered_reads.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flyball/kube/metadata.hpp"
#include "flyball/runtime/cause.hpp"
#include "flyball/runtime/key.hpp"
#include "flyball/runtime/read_set.hpp"

namespace flyball::runtime::detail {

// A change with texts of its own.
class KeptChange {
 public:
  KeptChange(std::uint64_t number, const kube::GroupVersionKind& kind, const kube::Metadata* before,
             const kube::Metadata* after, std::optional<Key> writer, bool no_echo);

  std::uint64_t number() const { return number_; }
  const std::optional<Key>& writer() const { return writer_; }
  // Of no write, whatever its version says.
  bool is_no_echo() const { return no_echo_; }
  bool touches(const Read& read) const;
  bool is_echo_of(const Write& write) const;
  const kube::Metadata* before() const { return before_ ? &*before_ : nullptr; }
  const kube::Metadata* after() const { return after_ ? &*after_ : nullptr; }
  const kube::GroupVersionKind& kind() const { return write_.kind; }
  Cause cause() const;

 private:
  kube::Metadata kept(const kube::Metadata& from);
  std::string_view kept(std::string_view text);

  std::uint64_t number_;
  std::deque<std::string> texts_;  // what the views below point at
  std::optional<kube::Metadata> before_;
  std::optional<kube::Metadata> after_;
  Write write_;  // the change, as a write would have been it
  std::optional<Key> writer_;
  bool no_echo_;
};

class ChangeLog {
 public:
  explicit ChangeLog(std::size_t most) : most_(most) {}

  void add(KeptChange change);
  // Those up to this one are of no use any more.
  void drop_until(std::uint64_t number);
  // Whether all changes after this one are still here.
  bool complete_after(std::uint64_t number) const { return number >= lost_; }
  const std::deque<KeptChange>& changes() const { return changes_; }

 private:
  const std::size_t most_;
  std::deque<KeptChange> changes_;
  std::uint64_t lost_ = 0;  // the last one that was dropped while it was of use
};

// Writes whose echo has not come yet.
class EchoBook {
 public:
  void expect(const Key& writer, const Write& write);
  // The writer, if this change is the echo of a write. Writes of earlier versions of the object will have none.
  std::optional<Key> take(const Write& change);

 private:
  struct Expected {
    Write write;
    Key writer;
  };
  static std::string name_of(const Write& write);

  std::unordered_map<std::string, std::vector<Expected>> expected_;  // by kind and object
};

// The change of an object, as a write would have been it.
Write as_write(const kube::GroupVersionKind& kind, const kube::Metadata* before, const kube::Metadata* after);
bool touches(const Read& read, const kube::GroupVersionKind& kind, const kube::Metadata* before,
             const kube::Metadata* after);

}  // namespace flyball::runtime::detail
