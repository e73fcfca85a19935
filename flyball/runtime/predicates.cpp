#include "flyball/runtime/predicates.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "flyball/json/parse.hpp"
#include "flyball/kube/meta/v1.hpp"

namespace flyball::runtime {
namespace {

using cache::Change;

bool is_update(const Change& change) { return change.type() == Change::Type::modified; }

auto sorted(std::vector<std::pair<std::string_view, std::string_view>> labels) {
  std::ranges::sort(labels);
  return labels;
}

std::map<std::string, std::string> annotations_of(const cache::Object& object) {
  if (object.format() == cache::Format::protobuf) {
    // Every kind has its metadata where this one has it.
    return object.as<kube::meta::v1::PartialObjectMetadata>().metadata.annotations;
  }
  std::map<std::string, std::string> annotations;
  const json::Value whole = json::parse(object.bytes());
  for (const auto& [key, value] : whole["metadata"]["annotations"].entries())
    annotations.emplace(key, value.as_string());
  return annotations;
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
