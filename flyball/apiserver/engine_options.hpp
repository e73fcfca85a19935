// How an embedded API server is set up. Every field has a sensible default.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "flyball/apiserver/auth/user.hpp"
#include "flyball/apiserver/webhook_options.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"

namespace flyball::apiserver {

struct EngineOptions {
  // What /version says: the Kubernetes release whose API this is.
  std::string version = "v1.36.3";
  // Where Services get their addresses from.
  std::string service_range = "10.0.0.0/24";
  // Every namespace gets the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt`, as kube-controller-manager
  // makes them. False for suites that count objects, as envtest has it.
  bool namespace_defaults = true;
  std::string root_ca = {};  // PEM, for that ConfigMap
  // Where clients reach the server, for the Service `default/kubernetes`: "127.0.0.1:6443"; empty makes none.
  std::string address = {};
  // Roles and bindings say who may do what; members of system:masters may do everything. False: everybody may.
  bool rbac = false;
  // Bearer tokens that stand for somebody, beside those of service accounts.
  std::map<std::string, User> static_tokens = {};
  // New pods get a token of their service account, which has to be there. False as in envtest.
  bool service_accounts = false;
  // ResourceQuotas count what their namespace has, as kube-controller-manager has it. False as in envtest: a quota
  // counts only after somebody wrote its status.
  bool quota_status = true;
  // How long old versions stay readable: lists at them, watches from them.
  Duration history = std::chrono::minutes(5);
  // How admission and conversion webhooks are reached.
  WebhookOptions webhooks = {};
  Logger log = {};
};

}  // namespace flyball::apiserver
