#include <algorithm>
#include <utility>

#include "flyball/apiserver/merge/field_manager.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver::merge {

namespace {

std::string described(const ManagerId& manager) {
  std::string text = kube::go::quote(manager.name);
  if (!manager.subresource.empty()) text += " with subresource " + kube::go::quote(manager.subresource);
  if (!manager.applied) text += " using " + manager.api_version;
  return text;
}

std::vector<Conflict> by_manager(std::vector<Conflict> conflicts) {
  std::ranges::stable_sort(conflicts, {}, [](const Conflict& conflict) { return conflict.manager.text(); });
  return conflicts;
}

std::string message_of(const std::vector<Conflict>& conflicts) {
  if (conflicts.size() == 1) {
    return "Apply failed with 1 conflict: conflict with " + described(conflicts[0].manager) + ": " +
           to_string(conflicts[0].path);
  }
  std::string text = "Apply failed with " + std::to_string(conflicts.size()) + " conflicts: ";
  const ManagerId* manager = nullptr;
  for (const Conflict& conflict : conflicts) {
    if (manager == nullptr || *manager != conflict.manager) {
      if (manager != nullptr) text += '\n';
      text += "conflicts with " + described(conflict.manager) + ":";
      manager = &conflict.manager;
    }
    text += "\n- " + to_string(conflict.path);
  }
  return text;
}

ApiError::Details details_of(const std::vector<Conflict>& conflicts) {
  ApiError::Details details{.reason = Reason::Conflict, .message = message_of(conflicts)};
  for (const Conflict& conflict : conflicts) {
    details.causes.push_back({.reason = "FieldManagerConflict",
                              .message = "conflict with " + described(conflict.manager),
                              .field = to_string(conflict.path)});
  }
  return details;
}

}  // namespace

ApplyConflict::ApplyConflict(std::vector<Conflict> conflicts)
    : ApiError(details_of(by_manager(conflicts))), conflicts_(by_manager(std::move(conflicts))) {}

}  // namespace flyball::apiserver::merge
