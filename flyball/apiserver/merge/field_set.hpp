// FieldSet: a set of fields, the currency of server-side apply.
//
//   FieldSet mine = FieldSet::of({{PathElement::field("spec"), PathElement::field("replicas")}});
//   FieldSet both = mine | theirs;
//   if (!(mine & changed).empty()) conflict();
//   encode_fields(mine);                    // {"f:spec":{"f:replicas":{}}}, see fields_v1.hpp
//
// It is a tree: at every level the steps that lead on, each with a mark whether it is a member itself. A member does
// not bring the fields below it along, nor its parents: `difference` takes exactly the members of the other away,
// `difference_below` also all that is below them.
//
// Thread-safety: values; copies share their lower levels, which never change.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "flyball/apiserver/merge/path.hpp"

namespace flyball::apiserver::merge {

struct MergeType;

class FieldSet {
 public:
  using Pointer = std::shared_ptr<const FieldSet>;
  struct Entry {
    PathElement element;
    bool member = false;
    Pointer below = {};  // never empty when there is one
  };

  FieldSet() = default;
  static FieldSet of(std::initializer_list<Path> paths);

  // In their order.
  std::span<const Entry> entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const;
  bool has(std::span<const PathElement> path) const;
  bool has(const PathElement& element) const;
  // What is below that step; null when nothing is.
  const FieldSet* below(const PathElement& element) const;
  const Entry* find(const PathElement& element) const;

  void insert(std::span<const PathElement> path);

  friend FieldSet operator|(const FieldSet& a, const FieldSet& b);
  friend FieldSet operator&(const FieldSet& a, const FieldSet& b);
  friend bool operator==(const FieldSet& a, const FieldSet& b);

  FieldSet difference(const FieldSet& other) const;
  FieldSet difference_below(const FieldSet& other) const;
  // The members that no other member is below of.
  FieldSet leaves() const;
  // With the fields of structs that lead to members as members too: `.spec` for `.spec.replicas`, but not the key of
  // a free map. What apply takes away and puts back must be closed in this sense.
  FieldSet with_named_parents(const MergeType* type) const;

  // Every member: those of a level first, then those below, which is the order of upstream's messages.
  void each(const std::function<void(const Path&)>& visit) const;

  // For those who build a set level by level: entries in any order, then settle() once. An entry that is neither a
  // member nor has anything below is not kept.
  void append(PathElement element, bool member, FieldSet below);
  void reserve(std::size_t entries) { entries_.reserve(entries); }
  void settle();

 private:
  void append_entry(Entry entry);
  void each_below(Path& prefix, const std::function<void(const Path&)>& visit) const;

  std::vector<Entry> entries_;
};

// One path per line.
std::string to_string(const FieldSet& set);

}  // namespace flyball::apiserver::merge
