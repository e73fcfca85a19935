#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/network_validation.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/apiserver/kinds/service_defaults.hpp"
#include "flyball/apiserver/kinds/service_validation.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/discovery/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace discovery = kube::discovery::v1;

class ServiceRules final : public RulesFor<core::Service> {
 public:
  Traits traits() const override {
    return {.name = kube::names::dns1123_label, .create_on_update = true, .fields = {"spec.clusterIP", "spec.type"}};
  }
  void set_defaults(core::Service& service) const override { default_service(service); }
  void prepare_create(core::Service& service) const override {
    service.status = {};
    drop_internal_policy(service);
  }
  void prepare_update(core::Service& service, const core::Service& old) const override {
    service.status = old.status;
    drop_fields_of_old_type(service, old);
    drop_internal_policy(service);
  }
  void validate(const core::Service& service, Problems& problems) const override {
    validate_service(service, problems);
  }
  void validate_update(const core::Service& service, const core::Service& old, Problems& problems) const override {
    validate_service_update(service, old, problems);
  }
  void validate_status(const core::Service& service, const core::Service& /*old*/, Problems& problems) const override {
    validate_service_status(service, problems);
  }
  std::vector<std::string> warnings(const core::Service& service, const core::Service* /*old*/) const override {
    return service_warnings(service);
  }

 private:
  static void drop_internal_policy(core::Service& service) {
    if (service.spec.type == "ExternalName") service.spec.internalTrafficPolicy.reset();
  }
};

class EndpointsRules final : public RulesFor<core::Endpoints> {
 public:
  Traits traits() const override { return {.create_on_update = true}; }
  void set_defaults(core::Endpoints& endpoints) const override {
    for (core::EndpointSubset& subset : endpoints.subsets) {
      for (core::EndpointPort& port : subset.ports) {
        if (port.protocol.empty()) port.protocol = "TCP";
      }
    }
  }
  std::vector<std::string> warnings(const core::Endpoints& /*endpoints*/,
                                    const core::Endpoints* /*old*/) const override {
    return {"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"};
  }
  void validate(const core::Endpoints& endpoints, Problems& problems) const override {
    validate_endpoints(endpoints, problems);
  }
  void validate_update(const core::Endpoints& endpoints, const core::Endpoints& old,
                       Problems& problems) const override {
    if (!kube::semantic_equal(endpoints.subsets, old.subsets)) validate(endpoints, problems);
  }
};

class EndpointSliceRules final : public RulesFor<discovery::EndpointSlice> {
 public:
  Traits traits() const override { return {.generation = true, .generation_also = "labels"}; }
  void set_defaults(discovery::EndpointSlice& slice) const override {
    for (discovery::EndpointPort& port : slice.ports) {
      if (!port.name) port.name = "";
      if (!port.protocol) port.protocol = "TCP";
    }
  }
  // v1 has fields of their own for what was in there; what an older version wrote stays until it changes.
  void prepare_create(discovery::EndpointSlice& slice) const override {
    for (discovery::Endpoint& endpoint : slice.endpoints) endpoint.deprecatedTopology.clear();
  }
  void prepare_update(discovery::EndpointSlice& slice, const discovery::EndpointSlice& old) const override {
    if (slice.endpoints != old.endpoints) prepare_create(slice);
  }
  void validate(const discovery::EndpointSlice& slice, Problems& problems) const override {
    validate_endpoint_slice(slice, problems);
  }
  void validate_update(const discovery::EndpointSlice& slice, const discovery::EndpointSlice& old,
                       Problems& problems) const override {
    validate(slice, problems);
    check_immutable(slice.addressType, old.addressType, FieldPath("addressType"), problems);
  }
};

}  // namespace

std::span<const RulesOfKind> service_kinds() {
  static const ServiceRules service_rules;
  static const EndpointsRules endpoints_rules;
  static const EndpointSliceRules slice_rules;
  static const std::array kinds = {RulesOfKind{"v1", "Service", &service_rules},
                                   RulesOfKind{"v1", "Endpoints", &endpoints_rules},
                                   RulesOfKind{"discovery.k8s.io/v1", "EndpointSlice", &slice_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
