#include "flyball/cache/change.hpp"

#include <array>

namespace flyball::cache {

const Object* Change::old() const {
  if (!unpack_) return nullptr;
  if (!old_) old_.emplace(unpack_());
  return &*old_;
}

const kube::Metadata* Change::old_metadata() const {
  const Object* before = old();
  if (before == nullptr) return nullptr;
  if (!old_metadata_) old_metadata_ = before->metadata();
  return &*old_metadata_;
}

std::string_view to_string(Change::Type type) noexcept {
  constexpr std::array<std::string_view, 3> kNames = {"added", "modified", "deleted"};
  return kNames[static_cast<std::size_t>(type)];
}

}  // namespace flyball::cache
