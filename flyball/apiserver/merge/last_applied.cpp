#include "flyball/apiserver/merge/last_applied.hpp"

#include <utility>

#include "flyball/apiserver/merge/operations.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver::merge {

using json::View;

namespace {

constexpr std::string_view kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::size_t kLargestAnnotations = 256UL * 1024;

std::string_view annotation_of(View object) { return object["metadata"]["annotations"][kAnnotation].string_or(""); }

// As Go's encoder of unstructured objects writes: sorted, with a line break at the end.
std::string text_of(View applied) {
  json::Draft draft = json::Draft::over(applied);
  if (const auto annotations = draft.root()["metadata"]["annotations"]; annotations.is_object()) {
    json::Draft::Node(annotations).erase(kAnnotation);
  }
  return json::write(draft.build(), {.sort_keys = true}) + "\n";
}

std::size_t size_of(View annotations) {
  std::size_t size = 0;
  for (const auto [name, value] : annotations.entries()) size += name.size() + value.string_or("").size();
  return size;
}

}  // namespace

FieldSet fields_last_applied(View live, const ManagedKind& kind) {
  const std::string_view annotation = annotation_of(live);
  if (annotation.empty()) return {};
  const MergeType& type = kind.schema.root();
  if (!validate(live, type).empty()) return {};
  json::Value last;
  try {
    last = json::parse(annotation, {.duplicates = json::Duplicates::last_wins});
  } catch (const InputError&) {
    return {};  // not ours to mend: without it the conflicts stand
  }
  if (last["apiVersion"].string_or("") != kind.api_version || !validate(last, type).empty()) return {};
  const Comparison change = compare(last, live, type);
  return fields_of(last, type).difference(change.modified).difference(change.added).difference(change.removed);
}

json::Value with_last_applied(json::Value object, View applied) {
  if (annotation_of(object).empty()) return object;
  json::Draft draft(std::move(object));
  const json::Draft::Node metadata = draft.root()["metadata"];
  json::Draft::Node annotations = metadata["annotations"];
  annotations.set(kAnnotation, text_of(applied));
  if (size_of(annotations.value()) > kLargestAnnotations) annotations.erase(kAnnotation);
  return draft.build();
}

}  // namespace flyball::apiserver::merge
