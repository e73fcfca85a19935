// Asks the server whether the operator may do what it was declared to do, and names the rule that is missing.
//
//   for (const MissingRule& missing : missing_rules(client, op.rbac(), {.name = "memcached-operator"}))
//     log.error("not allowed", "add to", missing.role, "rule", to_yaml(missing.rule));
//
//   keep_asking(client, op.rbac(), roles, clock, log, stop);     // until nothing is missing, or the stop
//
// A permission that is missing does not stop an operator: what it concerns is tried again, and goes on when somebody
// adds the rule. The check is there so that nobody has to guess which.
//
// Thread-safety: pure functions of what they are given.
#pragma once

#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/client/client.hpp"
#include "flyball/kube/rbac/v1.hpp"
#include "flyball/runtime/rbac.hpp"

namespace flyball::runtime {

struct MissingRule {
  std::string role = {};  // where to add it: Permission::role
  kube::rbac::v1::PolicyRule rule = {};
};

// One SelfSubjectAccessReview for each permission. Throws what the client throws.
std::vector<MissingRule> missing_rules(const client::Client& client, const Rbac& rbac, const RoleOptions& options);

// "- {apiGroups: [apps], resources: [deployments], verbs: [create, patch]}": a line of a role's `rules`.
std::string to_yaml(const kube::rbac::v1::PolicyRule& rule);

// Logs each missing rule once, asks again every half minute while there is one, and says when all are there. Comes back
// then, at the stop, or when the server answers no such questions.
void keep_asking(const client::Client& client, const Rbac& rbac, const RoleOptions& options, Clock& clock,
                 const Logger& log, const Stop& stop);

}  // namespace flyball::runtime
