#include "flyball/apiserver/merge/field_set.hpp"

#include <algorithm>

#include "flyball/apiserver/merge/merge_type.hpp"

namespace flyball::apiserver::merge {

namespace {

FieldSet::Pointer shared(FieldSet set) {
  return set.empty() ? nullptr : std::make_shared<const FieldSet>(std::move(set));
}

FieldSet::Pointer join(const FieldSet::Pointer& a, const FieldSet::Pointer& b) {
  if (a == nullptr || a == b) return b;
  return b == nullptr ? a : std::make_shared<const FieldSet>(*a | *b);
}

}  // namespace

FieldSet FieldSet::of(std::initializer_list<Path> paths) {
  FieldSet set;
  for (const Path& path : paths) set.insert(path);
  return set;
}

std::size_t FieldSet::size() const {
  std::size_t count = 0;
  for (const Entry& entry : entries_) {
    count += (entry.member ? 1U : 0U) + (entry.below == nullptr ? 0U : entry.below->size());
  }
  return count;
}

const FieldSet::Entry* FieldSet::find(const PathElement& element) const {
  const auto at = std::ranges::lower_bound(entries_, element, std::ranges::less(), &Entry::element);
  return at != entries_.end() && at->element == element ? &*at : nullptr;
}

bool FieldSet::has(const PathElement& element) const {
  const Entry* entry = find(element);
  return entry != nullptr && entry->member;
}

bool FieldSet::has(std::span<const PathElement> path) const {
  const FieldSet* set = this;
  for (std::size_t i = 0; set != nullptr && i < path.size(); ++i) {
    if (i + 1 == path.size()) return set->has(path[i]);
    set = set->below(path[i]);
  }
  return false;
}

const FieldSet* FieldSet::below(const PathElement& element) const {
  const Entry* entry = find(element);
  return entry == nullptr ? nullptr : entry->below.get();
}

void FieldSet::insert(std::span<const PathElement> path) {
  if (path.empty()) return;  // nobody owns the object as a whole
  const auto at = std::ranges::lower_bound(entries_, path[0], std::ranges::less(), &Entry::element);
  const bool found = at != entries_.end() && at->element == path[0];
  Entry& entry = found ? *at : *entries_.insert(at, Entry{.element = path[0]});
  if (path.size() == 1) {
    entry.member = true;
    return;
  }
  FieldSet below = entry.below == nullptr ? FieldSet() : *entry.below;
  below.insert(path.subspan(1));
  entry.below = shared(std::move(below));
}

void FieldSet::append_entry(Entry entry) {
  if (entry.member || entry.below != nullptr) entries_.push_back(std::move(entry));
}

void FieldSet::append(PathElement element, bool member, FieldSet below) {
  append_entry({.element = std::move(element), .member = member, .below = shared(std::move(below))});
}

void FieldSet::settle() {
  const auto before = [](const Entry& a, const Entry& b) { return a.element < b.element; };
  const auto same = [](const Entry& a, const Entry& b) { return a.element == b.element; };
  if (!std::ranges::is_sorted(entries_, before)) std::ranges::stable_sort(entries_, before);
  if (std::ranges::adjacent_find(entries_, same) == entries_.end()) return;
  std::vector<Entry> once;
  once.reserve(entries_.size());
  for (Entry& entry : entries_) {
    if (once.empty() || !same(once.back(), entry)) {
      once.push_back(std::move(entry));
      continue;
    }
    once.back().member = once.back().member || entry.member;
    once.back().below = join(once.back().below, entry.below);
  }
  entries_ = std::move(once);
}

FieldSet operator|(const FieldSet& a, const FieldSet& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  FieldSet sum;
  sum.entries_.reserve(a.entries_.size() + b.entries_.size());
  auto i = a.entries_.begin();
  auto j = b.entries_.begin();
  while (i != a.entries_.end() && j != b.entries_.end()) {
    const auto order = i->element <=> j->element;
    if (order < 0) {
      sum.entries_.push_back(*i++);
    } else if (order > 0) {
      sum.entries_.push_back(*j++);
    } else {
      sum.entries_.push_back({i->element, i->member || j->member, join(i->below, j->below)});
      ++i;
      ++j;
    }
  }
  sum.entries_.insert(sum.entries_.end(), i, a.entries_.end());
  sum.entries_.insert(sum.entries_.end(), j, b.entries_.end());
  return sum;
}

FieldSet operator&(const FieldSet& a, const FieldSet& b) {
  FieldSet shared_part;
  auto i = a.entries_.begin();
  auto j = b.entries_.begin();
  while (i != a.entries_.end() && j != b.entries_.end()) {
    const auto order = i->element <=> j->element;
    if (order < 0) {
      ++i;
    } else if (order > 0) {
      ++j;
    } else {
      const bool deeper = i->below != nullptr && j->below != nullptr;
      shared_part.append_entry({i->element, i->member && j->member, deeper ? shared(*i->below & *j->below) : nullptr});
      ++i;
      ++j;
    }
  }
  return shared_part;
}

bool operator==(const FieldSet& a, const FieldSet& b) {
  return std::ranges::equal(a.entries_, b.entries_, [](const FieldSet::Entry& x, const FieldSet::Entry& y) {
    if (x.member != y.member || x.element != y.element) return false;
    if (x.below == y.below) return true;
    return x.below != nullptr && y.below != nullptr && *x.below == *y.below;
  });
}

FieldSet FieldSet::difference(const FieldSet& other) const {
  FieldSet rest;
  auto j = other.entries_.begin();
  for (const Entry& entry : entries_) {
    while (j != other.entries_.end() && j->element < entry.element) ++j;
    if (j == other.entries_.end() || j->element != entry.element) {
      rest.entries_.push_back(entry);
      continue;
    }
    const bool deeper = entry.below != nullptr && j->below != nullptr;
    rest.append_entry(
        {entry.element, entry.member && !j->member, deeper ? shared(entry.below->difference(*j->below)) : entry.below});
  }
  return rest;
}

FieldSet FieldSet::difference_below(const FieldSet& other) const {
  FieldSet rest;
  auto j = other.entries_.begin();
  for (const Entry& entry : entries_) {
    while (j != other.entries_.end() && j->element < entry.element) ++j;
    if (j == other.entries_.end() || j->element != entry.element) {
      rest.entries_.push_back(entry);
      continue;
    }
    if (j->member) continue;
    const bool deeper = entry.below != nullptr && j->below != nullptr;
    rest.append_entry(
        {entry.element, entry.member, deeper ? shared(entry.below->difference_below(*j->below)) : entry.below});
  }
  return rest;
}

FieldSet FieldSet::leaves() const {
  FieldSet ends;
  for (const Entry& entry : entries_) {
    ends.append_entry({entry.element, entry.member && entry.below == nullptr,
                       entry.below == nullptr ? nullptr : shared(entry.below->leaves())});
  }
  return ends;
}

FieldSet FieldSet::with_named_parents(const MergeType* type) const {
  FieldSet closed;
  closed.entries_.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    Entry copy = entry;
    if (entry.below != nullptr) {
      const MergeType* child = nullptr;
      const MergeField* field = nullptr;
      if (type != nullptr && type->map && entry.element.is_field()) {
        field = type->find_field(entry.element.name());
        child = field != nullptr ? field->type : type->others;
      } else if (type != nullptr && type->list && entry.element.kind() == PathElement::Kind::key) {
        child = type->item;
      }
      copy.member = entry.member || field != nullptr;
      copy.below = shared(entry.below->with_named_parents(child));
    }
    closed.entries_.push_back(std::move(copy));
  }
  return closed;
}

void FieldSet::each_below(Path& prefix, const std::function<void(const Path&)>& visit) const {
  for (const Entry& entry : entries_) {
    if (!entry.member) continue;
    prefix.push_back(entry.element);
    visit(prefix);
    prefix.pop_back();
  }
  for (const Entry& entry : entries_) {
    if (entry.below == nullptr) continue;
    prefix.push_back(entry.element);
    entry.below->each_below(prefix, visit);
    prefix.pop_back();
  }
}

void FieldSet::each(const std::function<void(const Path&)>& visit) const {
  Path prefix;
  each_below(prefix, visit);
}

std::string to_string(const FieldSet& set) {
  std::string text;
  set.each([&](const Path& path) {
    if (!text.empty()) text += '\n';
    text += to_string(path);
  });
  return text;
}

}  // namespace flyball::apiserver::merge
