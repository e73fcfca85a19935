// Index: which objects have that namespace, that label, that owner. Objects that agree in all three are a group, as the
// pods of one ReplicaSet are, so that an object costs eight bytes here, and a selector is tried once for a group.
//
//   const GroupId group = index.group_of(metadata);
//   const std::uint32_t position = index.join(group, id);
//   index.each_group(query, [&](GroupId id) { for (EntryId entry : index.group(id).members) use(entry); });
//
// A query walks the groups of its rarest term (a namespace, a label, a label's key, an owner) and no others.
//
// Thread-safety: none; the store guards it. Private to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "flyball/cache/packer.hpp"
#include "flyball/cache/query.hpp"
#include "flyball/cache/slab.hpp"
#include "flyball/client/wire.hpp"
#include "flyball/kube/metadata.hpp"

namespace flyball::cache::detail {

using GroupId = std::uint32_t;
using EntryId = std::uint32_t;

// What the objects of a group are said by: a copy of one of them, for as long as one is said so.
struct Base {
  Slab::Place place = {};
  std::uint64_t id = 0;     // never used for another
  std::uint32_t users = 0;  // 0: there is none
  DictionaryId dictionary = kRaw;
  client::Format format = client::Format::json;
  std::uint8_t misses = 0;  // objects that were not like it
};

class Index {
 public:
  struct Posting {
    std::uint32_t term = 0;
    std::uint32_t position = 0;  // in that term's groups
  };
  struct Group {
    std::vector<Posting> postings = {};  // the namespace first, then labels, keys and owners
    std::vector<EntryId> members = {};
    std::uint32_t held = 0;  // by others than its members
    std::size_t hash = 0;
    Base base = {};
  };

  // The group of objects with this namespace, these labels and these owners; made when there is none.
  GroupId group_of(const kube::Metadata& metadata);
  // An object comes to a group, at the position returned, and leaves it. Returned is the one that took its place there,
  // which may be itself.
  std::uint32_t join(GroupId group, EntryId id);
  EntryId leave(GroupId group, std::uint32_t position);
  // Keeps a group without members, for those who still read what it was.
  void hold(GroupId group) { ++groups_[group].held; }
  void release(GroupId group);

  const Group& group(GroupId id) const { return groups_[id]; }
  Base& base(GroupId id) { return groups_[id].base; }
  std::string_view namespace_of(GroupId id) const;
  bool matches(GroupId id, const Query& query) const;
  void each_group(const Query& query, const std::function<void(GroupId)>& each) const;

  std::size_t groups() const noexcept { return by_hash_.size(); }
  std::size_t bytes_held() const noexcept { return bytes_; }

 private:
  struct Term {
    std::string text = {};  // its kind in one letter, then what it says
    std::vector<GroupId> groups = {};
  };
  // Where a query begins: no group that matches is outside of these terms, and no group is in two of them.
  struct Start {
    bool everything = true;
    std::vector<const Term*> terms = {};
    std::size_t groups = 0;
  };

  std::uint32_t term(std::string_view text);
  const Term* find(std::string_view text) const;
  void drop_term(std::uint32_t id);
  GroupId make_group(const std::vector<std::string>& texts, std::size_t hash);
  void drop_group(GroupId id);
  bool is_group(const Group& group, const std::vector<std::string>& texts) const;
  std::string_view text_of(const Posting& posting) const { return terms_[posting.term].text; }
  Start rarest(const Query& query) const;
  void consider(Start& best, const std::vector<std::string>& any_of) const;

  std::deque<Term> terms_;
  std::vector<std::uint32_t> free_terms_;
  std::unordered_map<std::string_view, std::uint32_t> by_text_;  // views of terms_
  std::deque<Group> groups_;
  std::vector<GroupId> free_groups_;
  std::unordered_multimap<std::size_t, GroupId> by_hash_;
  std::size_t bytes_ = 0;
  std::vector<std::string> scratch_;
};

}  // namespace flyball::cache::detail
