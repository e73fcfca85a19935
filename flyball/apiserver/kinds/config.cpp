#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/groups.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/base/error.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/net/key_pair.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

constexpr std::size_t kLargest = 1024 * 1024;
constexpr std::string_view kSealed = "field is immutable when `immutable` is set";

template <class Data>
std::size_t check_data(const Data& data, const FieldPath& at, Problems& problems) {
  std::size_t size = 0;
  for (const auto& [key, value] : data) {
    problems.invalid(at.key(key), key, kube::names::config_map_key(key));
    size += value.size();
  }
  return size;
}

class ConfigMapRules final : public RulesFor<core::ConfigMap> {
 public:
  void validate(const core::ConfigMap& map, Problems& problems) const override {
    std::size_t size = 0;
    const FieldPath data("data");
    for (const auto& [key, value] : map.data) {
      problems.invalid(data.key(key), key, kube::names::config_map_key(key));
      if (map.binaryData.contains(key)) {
        problems.invalid(data.key(key), key, "duplicate of key present in binaryData");
      }
      size += value.size();
    }
    size += check_data(map.binaryData, FieldPath("binaryData"), problems);
    if (size > kLargest) problems.too_long(FieldPath("[]"), kLargest);
  }
  void validate_update(const core::ConfigMap& map, const core::ConfigMap& old, Problems& problems) const override {
    if (old.immutable.value_or(false)) {
      if (!map.immutable.value_or(false)) problems.forbidden(FieldPath("immutable"), kSealed);
      if (map.data != old.data) problems.forbidden(FieldPath("data"), kSealed);
      if (map.binaryData != old.binaryData) problems.forbidden(FieldPath("binaryData"), kSealed);
    }
    validate(map, problems);
  }
};

bool is_json_object(std::string_view text, std::string& why) {
  try {
    return json::parse(text).is_object();
  } catch (const Error& error) {
    why = error.what();
    return false;
  }
}

// Types of Secrets that others read promise certain keys.
void check_secret_type(const core::Secret& secret, Problems& problems) {
  const FieldPath data("data");
  const auto has = [&](const char* key) { return secret.data.contains(key); };
  const auto need = [&](const char* key) {
    if (!has(key)) problems.required(data.key(key));
  };
  const auto need_json = [&](const char* key) {
    std::string why = "json: cannot unmarshal into Go value of type map[string]interface {}";
    if (!has(key)) {
      problems.required(data.key(key));
    } else if (!is_json_object(secret.data.at(key), why)) {
      problems.invalid(data.key(key), "<secret contents redacted>", why);
    }
  };
  if (secret.type == "kubernetes.io/service-account-token") {
    constexpr const char* kAccount = "kubernetes.io/service-account.name";
    const auto found = secret.metadata.annotations.find(kAccount);
    if (found == secret.metadata.annotations.end() || found->second.empty()) {
      problems.required(FieldPath("metadata").child("annotations").key(kAccount));
    }
  } else if (secret.type == "kubernetes.io/dockercfg") {
    need_json(".dockercfg");
  } else if (secret.type == "kubernetes.io/dockerconfigjson") {
    need_json(".dockerconfigjson");
  } else if (secret.type == "kubernetes.io/basic-auth") {
    if (has("username") || has("password")) return;
    need("username");
    need("password");
  } else if (secret.type == "kubernetes.io/ssh-auth") {
    need("ssh-privatekey");
  } else if (secret.type == "kubernetes.io/tls") {
    need("tls.crt");
    need("tls.key");
  }
}

class SecretRules final : public RulesFor<core::Secret> {
 public:
  Traits traits() const override { return {.fields = {"type"}}; }
  void set_defaults(core::Secret& secret) const override {
    if (secret.type.empty()) secret.type = "Opaque";
    // Write-only: what comes as text is kept as bytes.
    for (auto& [key, text] : secret.stringData) secret.data[key] = kube::Bytes(std::move(text));
    secret.stringData.clear();
  }
  void validate(const core::Secret& secret, Problems& problems) const override {
    const FieldPath data("data");
    if (check_data(secret.data, data, problems) > kLargest) problems.too_long(data, kLargest);
    check_secret_type(secret, problems);
  }
  void validate_update(const core::Secret& secret, const core::Secret& old, Problems& problems) const override {
    check_immutable(secret.type, old.type, FieldPath("type"), problems);
    if (old.immutable.value_or(false)) {
      if (!secret.immutable.value_or(false)) problems.forbidden(FieldPath("immutable"), kSealed);
      if (secret.data != old.data) problems.forbidden(FieldPath("data"), kSealed);
    }
    validate(secret, problems);
  }
  std::vector<std::string> warnings(const core::Secret& secret, const core::Secret* /*old*/) const override {
    if (secret.type != "kubernetes.io/tls") return {};
    std::string problem = net::key_pair_problem(secret.data.at("tls.crt"), secret.data.at("tls.key"));
    if (problem.empty()) return {};
    return {std::move(problem)};
  }
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
  static const ConfigMapRules config_map_rules;
  static const SecretRules secret_rules;
  static const ServiceAccountRules service_account_rules;
  static const std::array kinds = {RulesOfKind{"v1", "ConfigMap", &config_map_rules},
                                   RulesOfKind{"v1", "Secret", &secret_rules},
                                   RulesOfKind{"v1", "ServiceAccount", &service_account_rules}};
  return kinds;
}

}  // namespace flyball::apiserver
