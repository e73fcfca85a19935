// Kubeconfig: the files in which people keep their clusters, users and contexts, read as kubectl reads them.
//
//   const Kubeconfig kubeconfig = Kubeconfig::load({"/home/me/.kube/config"});
//   const Config config = kubeconfig.config(clock, {.context = "kind-dev"});
//
// Most programs call load_config (load_config.hpp), which also knows where the files are.
//
// Several files are one: of entries with the same name the first file's counts, whole, and so does the first
// current-context. Relative paths in a file are relative to its folder.
//
// Only what the chosen context names is looked at closely: a broken entry beside it does no harm. Fields nobody knows
// are passed over, with a warning in the log.
//
// Errors: InputError with the file, the line, the field, what is wrong with it and what to do.
//
// Thread-safety: a const Kubeconfig may be used from any thread. Lifetime: the clock outlives what config() returns.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/base/log.hpp"
#include "flyball/client/config.hpp"
#include "flyball/json/value.hpp"

namespace flyball::client {

namespace detail {
struct KubeconfigFile;
class Fields;
}  // namespace detail

struct KubeconfigOptions {
  std::string context = {};     // empty: the current one
  std::string cluster = {};     // instead of the context's
  std::string user = {};        // instead of the context's
  std::string namespace_ = {};  // instead of the context's
  // Where HTTPS_PROXY and NO_PROXY come from; used without a proxy-url. Default: the environment.
  std::function<std::string(const char*)> variable = {};
  Logger log = {};
};

class Kubeconfig {
 public:
  // YAML or JSON. `file` is its name in errors, and what its relative paths are relative to.
  static Kubeconfig parse(std::string_view text, const std::string& file);
  // The files that exist, merged. Throws when one cannot be read or is wrong, not when it is missing.
  static Kubeconfig load(const std::vector<std::string>& files);

  // The files there were.
  const std::vector<std::string>& files() const noexcept { return files_; }
  // Names, in the order of the files.
  std::vector<std::string> contexts() const;
  const std::string& current_context() const noexcept { return current_context_; }

  // Which server, as whom. Throws InputError when a name is not there or an entry cannot be used.
  Config config(Clock& clock, const KubeconfigOptions& options = {}) const;

 private:
  struct Entry {
    std::string name;
    json::Value value;  // `cluster`, `user` or `context` of it; absent when there is none
    std::shared_ptr<const detail::KubeconfigFile> file;
    std::string pointer;  // to the value
  };
  using Entries = std::vector<Entry>;

  static Entries read_entries(const std::shared_ptr<const detail::KubeconfigFile>& file, const json::Value& root,
                              const std::string& list, const std::string& member);
  void merge(Kubeconfig later);
  const Entry* choose_context(const std::string& wanted, bool needed) const;
  const Entry& find(const Entries& entries, const std::string& kind, const std::string& name,
                    const std::string& asked_by) const;
  static detail::Fields fields(const Entry& entry, const std::string& kind);
  std::string all_files() const;

  std::vector<std::string> files_;
  std::string current_context_;
  Entries contexts_;
  Entries clusters_;
  Entries users_;
};

}  // namespace flyball::client
