// flyball in the place of envtest's programs: called as `kube-apiserver` or `etcd` it takes their flags and does their
// work, so that suites written against envtest run on it as they are.
//
//   KUBEBUILDER_ASSETS=$(flyball envtest path) go test ./...
//
// Its kube-apiserver asks its etcd where that keeps its data, and writes there: as with the real ones, what was
// acknowledged is there again when the kube-apiserver is started anew on the same etcd.
//
// Thread-safety: called once, by main().
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/command.hpp"

#include "flyball/apiserver/auth/user.hpp"

namespace flyball::cli {

bool is_envtest_program(const std::string& name);
// Serves until SIGTERM. Returns the exit code; what is wrong is told on standard error.
int run_envtest_program(const std::string& name, const std::vector<std::string>& words, Io& io);

// `--name value` and `--name=value`; the last one counts. A flag of `switches` without a value is "true". Throws
// UsageError for a word that belongs to no flag.
std::map<std::string, std::string> program_flags(const std::vector<std::string>& words,
                                                 const std::set<std::string>& switches);

// A file of tokens as kube-apiserver reads it: `token,user,uid,"group1,group2"` in each line. Throws Error that names
// the line.
std::map<std::string, apiserver::User> read_tokens(const std::string& text);

}  // namespace flyball::cli
