#include "cli/package_installer.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include <unistd.h>

#include "flyball/base/error.hpp"
#include "flyball/base/process.hpp"

namespace flyball::cli {
namespace {

constexpr std::chrono::minutes kPatience{4};  // a pass over a pod ends after five

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "it said nothing";
  const std::size_t begin = text.find_last_of('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace

void PackageInstaller::install(const std::string& package) {
  const MutexLock lock(mutex_);
  std::vector<std::string> command{"apt-get", "-q", "-y", "--no-install-recommends", "--no-remove", "install", package};
  // Nobody sits there to type a password.
  if (::geteuid() != 0) command.insert(command.begin(), {"sudo", "-n"});
  const Stop stop = Stop().with_deadline(clock_, clock_.after(kPatience));
  const RunResult result =
      run(clock_, std::move(command), {.environment = {{"DEBIAN_FRONTEND", "noninteractive"}}}, stop);
  if (!result.status.ok()) throw Error("apt-get " + result.status.text() + ": " + last_line(result.error));
}

}  // namespace flyball::cli
