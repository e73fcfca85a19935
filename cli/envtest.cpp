// flyball envtest path: a folder with the programs that envtest starts.
#include "cli/envtest.hpp"

#include <filesystem>
#include <ostream>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/flags.hpp"

#include "flyball/runtime/version.hpp"

namespace flyball::cli {
namespace {

namespace fs = std::filesystem;

fs::path cache_folder(const Io& io) {
  if (const std::string cache = io.variable("XDG_CACHE_HOME"); !cache.empty()) return cache;
  const std::string home = io.variable("HOME");
  if (home.empty()) throw Error("neither HOME nor XDG_CACHE_HOME is set; name a folder with --folder");
  return fs::path(home) / ".cache";
}

// Where the shell would find it; empty: nowhere.
fs::path find_program(const std::string& name, const Io& io) {
  std::istringstream folders(io.variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    if (fs::is_regular_file(fs::path(folder) / name, error)) return fs::path(folder) / name;
  }
  return {};
}

void link(const fs::path& folder, const char* name, const fs::path& target) {
  const fs::path path = folder / name;
  std::error_code error;
  if (fs::is_symlink(path, error) && fs::read_symlink(path, error) == target) return;
  // Made beside it and moved there: somebody else may be starting it.
  const fs::path made = folder / (std::string(name) + ".new");
  fs::remove(made, error);
  fs::create_symlink(target, made, error);
  if (!error) fs::rename(made, path, error);
  if (error) throw Error("cannot make " + path.string() + ": " + error.message() + "; name another --folder");
}

int envtest_path(const Given& given, Io& io) {
  const fs::path folder = given.has("folder") ? fs::absolute(io.path(given.text("folder")))
                                              : cache_folder(io) / "flyball" / "envtest" / runtime::kVersion;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error("cannot make " + folder.string() + ": " + error.message() + "; name another --folder");
  const fs::path self = fs::read_symlink("/proc/self/exe");
  link(folder, "kube-apiserver", self);
  link(folder, "etcd", self);
  if (const auto kubectl = find_program("kubectl", io); !kubectl.empty()) link(folder, "kubectl", kubectl);
  io.out << folder.lexically_normal().string() << "\n";
  return kOk;
}

}  // namespace

Command envtest_path_command() {
  return {.name = "envtest path",
          .topic = Topic::cluster,
          .summary = "the folder of kube-apiserver and etcd for suites of envtest",
          .about =
              "Makes a folder in which `kube-apiserver` and `etcd` are flyball, and prints its name. Suites that are\n"
              "written against envtest (controller-runtime's, or another's) run on it as they are: an API server of\n"
              "v1.36 that is ready in a moment, with RBAC, without controllers. The kubectl of this machine is put\n"
              "beside them when there is one.",
          .flags = {{.name = "folder", .value = "DIR", .help = "where; without it: a folder of the user's cache"}},
          .examples = {{"KUBEBUILDER_ASSETS=$(flyball envtest path) go test ./...", "a suite in Go"}},
          .run = envtest_path};
}

}  // namespace flyball::cli
