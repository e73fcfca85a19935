#include "flyball/runtime/predicates.hpp"

#include <algorithm>
#include <utility>

#include "flyball/kube/meta/v1.hpp"

namespace flyball::runtime {
namespace {

using cache::Change;

bool is_update(const Change& change) { return change.type() == Change::Type::modified; }

auto sorted(std::vector<std::pair<std::string_view, std::string_view>> labels) {
  std::ranges::sort(labels);
  return labels;
}

auto annotations_of(const cache::Object& object) {
  return object.as<kube::meta::v1::PartialObjectMetadata>().metadata.annotations;
}

}  // namespace

Predicate generation_changed() {
  return [](const Change& change) {
    if (!is_update(change)) return true;
    const kube::Metadata& before = *change.old_metadata();
    const kube::Metadata& now = change.metadata();
    // Kinds that do not count: each change may be one.
    if (now.generation == 0) return true;
    return before.generation != now.generation || before.uid != now.uid ||
           before.deletion_timestamp.has_value() != now.deletion_timestamp.has_value();
  };
}

Predicate labels_changed() {
  return [](const Change& change) {
    return !is_update(change) || sorted(change.old_metadata()->labels) != sorted(change.metadata().labels);
  };
}

Predicate annotations_changed() {
  return [](const Change& change) {
    return !is_update(change) || annotations_of(*change.old()) != annotations_of(change.object());
  };
}

Predicate either(Predicate one, Predicate other) {
  return
      [one = std::move(one), other = std::move(other)](const Change& change) { return one(change) || other(change); };
}

Predicate both(Predicate one, Predicate other) {
  return
      [one = std::move(one), other = std::move(other)](const Change& change) { return one(change) && other(change); };
}

}  // namespace flyball::runtime
