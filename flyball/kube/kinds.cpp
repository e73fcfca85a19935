#include "flyball/kube/kinds.hpp"

#include <algorithm>
#include <tuple>

#include "flyball/kube/detail/kind_tables.hpp"

namespace flyball::kube {

std::span<const reflect::TypeRef> all_kinds() { return {detail::kKinds, detail::kKindCount}; }
std::span<const reflect::TypeRef> served_kinds() { return {detail::kServed, detail::kServedCount}; }

const reflect::Type* find_kind(std::string_view group, std::string_view version, std::string_view kind) {
  const auto key = [](reflect::TypeRef type) {
    const reflect::KindInfo& info = *type().kind;
    return std::tuple(info.group, info.version, info.kind);
  };
  const std::tuple wanted(group, version, kind);
  const auto found = std::ranges::lower_bound(all_kinds(), wanted, {}, key);
  return found != all_kinds().end() && key(*found) == wanted ? &(*found)() : nullptr;
}

const reflect::Type* find_kind(std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return find_kind("", api_version, kind);
  return find_kind(api_version.substr(0, slash), api_version.substr(slash + 1), kind);
}

const reflect::Type* find_resource(std::string_view group, std::string_view version, std::string_view plural) {
  for (const reflect::TypeRef type : served_kinds()) {
    const reflect::KindInfo& info = *type().kind;
    if (info.plural == plural && info.group == group && info.version == version) return &type();
  }
  return nullptr;
}

}  // namespace flyball::kube
