// What `flyball create api` is asked for, checked: names as Kubernetes takes them, and no kind twice.
//
//   const Api api = requested_api(project, given, io);         // asks a person for what is missing
//
// Errors: UsageError for a wrong word, Error for a kind that is there already; both with what to write instead.
//
// Thread-safety: one thread.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "cli/project.hpp"

namespace flyball::cli {

Api requested_api(const Project& project, const Given& given, Io& io);

// The group as manifests have it: "cache" is cache.example.com, none is example.com.
std::string whole_group(const Project& project, const std::string& group);
// The kind that these flags name in the project. Throws Error with the kinds there are.
const Api& named_api(const Project& project, const Given& given);

}  // namespace flyball::cli
