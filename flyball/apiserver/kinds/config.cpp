#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

class ConfigMapRules final : public RulesFor<core::ConfigMap> {};

class SecretRules final : public RulesFor<core::Secret> {
 public:
  Traits traits() const override { return {.fields = {"type"}}; }
  void set_defaults(core::Secret& secret) const override {
    if (secret.type.empty()) secret.type = "Opaque";
    // Write-only: what comes as text is kept as bytes.
    for (auto& [key, text] : secret.stringData) secret.data[key] = kube::Bytes(std::move(text));
    secret.stringData.clear();
  }
  std::string field(const core::Secret& secret, std::string_view /*name*/) const override { return secret.type; }
};

class ServiceAccountRules final : public RulesFor<core::ServiceAccount> {
 public:
  void prepare_create(core::ServiceAccount& account) const override { keep_names(account); }
  void prepare_update(core::ServiceAccount& account, const core::ServiceAccount& /*old*/) const override {
    keep_names(account);
  }

 private:
  static void keep_names(core::ServiceAccount& account) {
    for (core::ObjectReference& secret : account.secrets) {
      core::ObjectReference named;
      named.name = std::move(secret.name);
      secret = std::move(named);
    }
  }
};

}  // namespace

std::span<const RulesOfKind> config_kinds() {
  static const ConfigMapRules kConfigMap;
  static const SecretRules kSecret;
  static const ServiceAccountRules kServiceAccount;
  static const std::array kKinds = {RulesOfKind{"v1", "ConfigMap", &kConfigMap}, RulesOfKind{"v1", "Secret", &kSecret},
                                    RulesOfKind{"v1", "ServiceAccount", &kServiceAccount}};
  return kKinds;
}

}  // namespace flyball::apiserver
