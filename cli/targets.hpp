// Which objects a command line means: `pods`, `pod web`, `pod/web deploy/api`, `pods,services`, `all`.
//
//   for (const Target& target : targets_of(access, given.arguments())) use(target.resource, target.name);
//
// Kinds are what the server knows them by: plural, singular, short name or kind, with ".group" where that is needed;
// and categories, such as all.
//
// Errors: UsageError for words that cannot be read, ApiError for a kind the server has not.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "cli/access.hpp"

namespace flyball::cli {

struct Target {
  client::Resource resource = {};
  std::string name = {};  // empty: all of that kind
};

std::vector<Target> targets_of(Access& access, const std::vector<std::string>& words);
// The same for a command that needs names: UsageError without one.
std::vector<Target> named_targets(Access& access, const std::vector<std::string>& words);

// Where the object lies: in the namespace of choice when its kind has namespaces.
kube::ObjectKey key_of(const Target& target, const Access& access);
// "deployment.apps/web", as kubectl names things.
std::string title_of(const client::Resource& resource, const std::string& name);
// "deployment.apps", without a name.
std::string title_of(const client::Resource& resource);

// "90s", "5m", "1h30m" or seconds alone. Throws UsageError that names the flag.
Duration duration_of(const std::string& flag, const std::string& text);

}  // namespace flyball::cli
