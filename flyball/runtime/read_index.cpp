#include "flyball/runtime/detail/read_index.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <utility>

#include "flyball/base/error.hpp"

namespace flyball::runtime::detail {
namespace {

std::uint64_t mixed(std::uint64_t hash) {
  hash = (hash ^ (hash >> 30U)) * 0xBF58476D1CE4E5B9U;
  hash = (hash ^ (hash >> 27U)) * 0x94D049BB133111EBU;
  return hash ^ (hash >> 31U);
}

std::uint64_t hash_of(char type, const kube::GroupVersionKind& kind, std::initializer_list<std::string_view> parts) {
  std::uint64_t hash = static_cast<unsigned char>(type);
  const auto add = [&hash](std::string_view part) {
    hash = mixed(hash + 0x9E3779B97F4A7C15U) ^ mixed(std::hash<std::string_view>()(part));
  };
  add(kind.group);
  add(kind.version);
  add(kind.kind);
  for (const std::string_view part : parts) add(part);
  return mixed(hash);
}

PointName object_point(const kube::GroupVersionKind& kind, std::string_view in_namespace, std::string_view name) {
  return hash_of('o', kind, {in_namespace, name});
}
PointName children_point(const kube::GroupVersionKind& kind, std::string_view owner) {
  return hash_of('c', kind, {owner});
}
std::uint64_t value_bucket(const kube::GroupVersionKind& kind, std::string_view in_namespace, std::string_view label,
                           std::string_view value) {
  return hash_of('v', kind, {in_namespace, label, value});
}
std::uint64_t label_bucket(const kube::GroupVersionKind& kind, std::string_view in_namespace, std::string_view label) {
  return hash_of('l', kind, {in_namespace, label});
}
std::uint64_t namespace_bucket(const kube::GroupVersionKind& kind, std::string_view in_namespace) {
  return hash_of('n', kind, {in_namespace});
}

PointName name_of(const Read& read) {
  switch (read.type) {
    case Read::Type::object: return object_point(read.kind, read.namespace_, read.name);
    case Read::Type::children: return children_point(read.kind, read.name);
    case Read::Type::list: break;
  }
  return hash_of('q', read.kind, {read.namespace_, read.identity});
}

// The one value that a requirement lets pass.
const std::string* only_value(const kube::Requirement& requirement) {
  switch (requirement.op()) {
    case kube::Operator::equals:
    case kube::Operator::double_equals:
    case kube::Operator::in: return requirement.values().size() == 1 ? requirement.values().data() : nullptr;
    default: return nullptr;
  }
}

bool needs_label(const kube::Requirement& requirement) {
  switch (requirement.op()) {
    case kube::Operator::does_not_exist:
    case kube::Operator::not_equals:
    case kube::Operator::not_in: return false;
    default: return true;
  }
}

bool matches(const kube::Selector& selector, const kube::Metadata* object) {
  return object != nullptr && selector.matches_with([&](const std::string& key) { return object->label(key); });
}

// Selectors rest as text, which takes a tenth of the space. One that cannot be read asks for a label that no object can
// have.
bool matches(const std::string& text, const kube::Metadata* before, const kube::Metadata* after) {
  if (text.empty()) return true;
  try {
    const auto selector = kube::Selector::parse(text);
    return matches(selector, before) || matches(selector, after);
  } catch (const InputError&) {
    return false;
  }
}

template <class T>
void sort_unique(std::vector<T>& items) {
  std::ranges::sort(items);
  items.erase(std::ranges::unique(items).begin(), items.end());
}

std::vector<std::uint64_t> buckets_of(const kube::GroupVersionKind& kind, const kube::Metadata* before,
                                      const kube::Metadata* after) {
  std::vector<std::uint64_t> buckets;
  const auto add_scope = [&](const kube::Metadata& object, std::string_view scope) {
    buckets.push_back(namespace_bucket(kind, scope));
    for (const auto& [label, value] : object.labels) {
      buckets.push_back(value_bucket(kind, scope, label, value));
      buckets.push_back(label_bucket(kind, scope, label));
    }
  };
  const auto add_object = [&](const kube::Metadata& object) {
    add_scope(object, "");
    if (!object.namespace_.empty()) add_scope(object, object.namespace_);
  };
  if (before != nullptr) add_object(*before);
  const bool as_before = before != nullptr && after != nullptr && before->labels == after->labels;
  if (after != nullptr && !as_before) add_object(*after);
  sort_unique(buckets);
  return buckets;
}

}  // namespace

// --- Readers

std::uint32_t Readers::add(KeyId key) {
  if (!any_) {
    any_ = true;
    first_ = key;
    return 0;
  }
  if (!rest_) rest_ = std::make_unique<std::vector<KeyId>>();
  rest_->push_back(key);
  return static_cast<std::uint32_t>(rest_->size());
}

KeyId Readers::remove(std::uint32_t position) {
  if (!rest_) {
    any_ = false;
    return first_;
  }
  const KeyId last = rest_->back();
  rest_->pop_back();
  if (position == 0)
    first_ = last;
  else if (position <= rest_->size())
    (*rest_)[position - 1] = last;
  if (rest_->empty()) rest_.reset();
  return last;
}

// --- what is read

KeyId ReadIndex::id_of(const Key& key) {
  const auto [found, fresh] = ids_.try_emplace(key, 0);
  if (!fresh) return found->second;
  if (free_.empty()) {
    free_.push_back(static_cast<KeyId>(records_.size()));
    records_.emplace_back();
  }
  found->second = free_.back();
  free_.pop_back();
  records_[found->second] = {.key = &found->first};
  return found->second;
}

std::vector<std::pair<PointName, const Read*>> ReadIndex::named(const std::map<std::string, Read>& reads) {
  std::vector<std::pair<PointName, const Read*>> points;
  points.reserve(reads.size());
  for (const auto& [identity, read] : reads) points.emplace_back(name_of(read), &read);
  std::ranges::sort(points);
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  points.erase(std::ranges::unique(points, same).begin(), points.end());
  return points;
}

void ReadIndex::replace(const Key& key, const std::map<std::string, Read>& reads) {
  if (reads.empty()) return forget(key);
  const KeyId id = id_of(key);
  const std::vector<Place> old = std::exchange(records_[id].places, {});
  std::vector<Place> places;
  places.reserve(reads.size());
  const auto points = named(reads);
  auto point = points.begin();
  // Both are in the order of the points; a pass that read what the last one did changes nothing.
  for (const Place& place : old) {
    for (; point != points.end() && point->first < place.point; ++point) {
      places.push_back({.point = point->first});
    }
    if (point != points.end() && point->first == place.point) {
      places.push_back(place);
      ++point;
    }
  }
  for (; point != points.end(); ++point) places.push_back({.point = point->first});
  records_[id].places = std::move(places);

  const auto was = [&](PointName name) { return std::ranges::binary_search(old, name, {}, &Place::point); };
  const auto is = [&](PointName name) {
    return std::ranges::binary_search(points, name, {}, &std::pair<PointName, const Read*>::first);
  };
  for (const Place& place : old) {
    if (!is(place.point)) leave(place);
  }
  for (const auto& [name, read] : points) {
    if (!was(name)) move_reader(id, name, enter(id, name, *read).position);
  }
}

void ReadIndex::add(const Key& key, const std::map<std::string, Read>& reads) {
  if (reads.empty()) return;
  const KeyId id = id_of(key);
  for (const auto& [name, read] : named(reads)) {
    auto& places = records_[id].places;
    const auto at = std::ranges::lower_bound(places, name, {}, &Place::point);
    if (at == places.end() || at->point != name) places.insert(at, enter(id, name, *read));
  }
}

void ReadIndex::forget(const Key& key) {
  const auto found = ids_.find(key);
  if (found == ids_.end()) return;
  for (const Place& place : std::exchange(records_[found->second].places, {})) leave(place);
  free_.push_back(found->second);
  ids_.erase(found);
}

ReadIndex::Place ReadIndex::enter(KeyId key, PointName name, const Read& read) {
  const auto [found, fresh] = points_.try_emplace(name);
  if (fresh && read.type == Read::Type::list) into_bucket(name, found->second, read);
  return {name, found->second.readers.add(key)};
}

void ReadIndex::leave(const Place& place) {
  const auto found = points_.find(place.point);
  Point& point = found->second;
  const bool last = place.position + 1 == point.readers.size();
  const KeyId moved = point.readers.remove(place.position);
  if (!last) move_reader(moved, place.point, place.position);
  if (point.readers.size() > 0) return;
  if (point.list) out_of_bucket(*point.list);
  points_.erase(found);
}

void ReadIndex::move_reader(KeyId key, PointName point, std::uint32_t position) {
  std::ranges::lower_bound(records_[key].places, point, {}, &Place::point)->position = position;
}

// --- buckets

std::uint64_t ReadIndex::best_bucket(const Read& read) const {
  std::uint64_t best = namespace_bucket(read.kind, read.namespace_);
  std::optional<std::size_t> fewest;
  bool best_has_value = false;
  for (const kube::Requirement& requirement : read.selector.requirements()) {
    if (!needs_label(requirement)) continue;
    const std::string* value = only_value(requirement);
    if (value == nullptr && best_has_value) continue;
    const std::uint64_t bucket = value != nullptr ? value_bucket(read.kind, read.namespace_, requirement.key(), *value)
                                                  : label_bucket(read.kind, read.namespace_, requirement.key());
    const auto found = buckets_.find(bucket);
    const std::size_t size = found == buckets_.end() ? 0 : found->second.size();
    const bool better_kind = value != nullptr && !best_has_value;
    if (fewest && !better_kind && size >= *fewest) continue;
    best = bucket;
    fewest = size;
    best_has_value = value != nullptr;
  }
  return best;
}

void ReadIndex::into_bucket(PointName name, Point& point, const Read& read) {
  if (read.selector.is_nothing()) return;
  const std::uint64_t bucket = best_bucket(read);
  auto& points = buckets_[bucket];
  point.list = std::make_unique<ListPart>(
      ListPart{read.selector.to_string(), bucket, static_cast<std::uint32_t>(points.size())});
  points.push_back(name);
}

void ReadIndex::out_of_bucket(const ListPart& list) {
  const auto found = buckets_.find(list.bucket);
  auto& points = found->second;
  const PointName last = points.back();
  points[list.position] = last;
  points_.find(last)->second.list->position = list.position;
  points.pop_back();
  if (points.empty()) buckets_.erase(found);
}

// --- who read it

std::vector<PointName> ReadIndex::touched(const kube::GroupVersionKind& kind, const kube::Metadata* before,
                                          const kube::Metadata* after) const {
  std::vector<PointName> touched;
  const auto add = [&](PointName name) {
    if (points_.contains(name)) touched.push_back(name);
  };
  const kube::Metadata& any = after != nullptr ? *after : *before;
  add(object_point(kind, any.namespace_, any.name));
  for (const kube::Metadata* object : {before, after}) {
    if (object == nullptr) continue;
    for (const auto& owner : object->owners) add(children_point(kind, owner.uid));
  }
  for (const std::uint64_t bucket : buckets_of(kind, before, after)) {
    const auto found = buckets_.find(bucket);
    if (found == buckets_.end()) continue;
    for (const PointName name : found->second) {
      if (matches(points_.find(name)->second.list->selector, before, after)) touched.push_back(name);
    }
  }
  sort_unique(touched);
  return touched;
}

std::vector<Key> ReadIndex::readers(const kube::GroupVersionKind& kind, const kube::Metadata* before,
                                    const kube::Metadata* after) const {
  std::vector<KeyId> ids;
  for (const PointName name : touched(kind, before, after)) {
    const Readers& readers = points_.find(name)->second.readers;
    for (std::uint32_t i = 0; i < readers.size(); ++i) ids.push_back(readers.at(i));
  }
  sort_unique(ids);
  std::vector<Key> keys;
  keys.reserve(ids.size());
  for (const KeyId id : ids) keys.push_back(*records_[id].key);
  return keys;
}

bool ReadIndex::reads(const Key& key, const kube::GroupVersionKind& kind, const kube::Metadata* before,
                      const kube::Metadata* after) const {
  const auto found = ids_.find(key);
  if (found == ids_.end()) return false;
  const auto& places = records_[found->second].places;
  return std::ranges::any_of(touched(kind, before, after), [&](PointName name) {
    return std::ranges::binary_search(places, name, {}, &Place::point);
  });
}

}  // namespace flyball::runtime::detail
