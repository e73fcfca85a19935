#include "flyball/cache/scope.hpp"

#include <optional>
#include <string_view>

namespace flyball::cache {

std::string Scope::to_string() const {
  std::string text;
  const auto add = [&](std::string_view part) { text.append(text.empty() ? "" : " ").append(part); };
  for (const std::string& name : namespaces) add("namespace=" + name);
  if (all_namespaces) add("all-namespaces");
  if (!labels.empty()) add(kube::Selector::from_labels(labels).to_string());
  if (!selector.is_everything()) add(selector.is_nothing() ? "nothing" : selector.to_string());
  if (!fields.is_everything()) add(fields.to_string());
  if (extent == client::Extent::metadata) add("metadata");
  if (!managed_fields) add("pruned");
  for (const auto& [name, function] : indexes) add("index=" + name);
  return text;
}

bool Scope::matches(const kube::Metadata& metadata) const {
  for (const auto& [key, value] : labels) {
    if (metadata.label(key) != std::optional<std::string_view>(value)) return false;
  }
  return selector.matches_with([&](const std::string& key) { return metadata.label(key); });
}

}  // namespace flyball::cache
