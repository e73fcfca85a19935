#include "flyball/runtime/controller_spec.hpp"

#include <algorithm>

namespace flyball::runtime {

Source& ControllerSpec::source(const client::Resource& resource, cache::Scope scope) {
  const auto found = std::ranges::find_if(sources, [&](const Source& source) {
    return source.resource.kind == resource.kind && source.resource.plural == resource.plural;
  });
  Source& source = found != sources.end() ? *found : sources.emplace_back(Source{.resource = resource});
  if (!scope.is_default()) source.scope = std::move(scope);
  return source;
}

void ControllerSpec::add_to(Rbac& rbac) const {
  if (primary) rbac.reconciles(*primary, {.status = writes_status, .finalizer = has_cleanup});
  for (const Source& source : sources) {
    if (source.owned) {
      rbac.owns(source.resource);
    } else if (!source.primary) {
      rbac.reads(source.resource);
    }
  }
  for (const ExtraRule& rule : extra_rules) rbac.may(rule.group, rule.resource, rule.verbs, rule.namespaced);
  rbac.events();
}

}  // namespace flyball::runtime
