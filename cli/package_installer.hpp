// PackageInstaller: installs Debian packages, one at a time: what `flyball dev --install-images` does for images whose
// program is missing.
//
//   images.set_installer([installer = std::make_shared<PackageInstaller>(clock)](const std::string& package) {
//     installer->install(package);
//   });
//
// Errors: Error with what apt-get said, or that it may not be used. Thread-safety: any thread. Lifetime: the clock
// outlives it.
#pragma once

#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/base/mutex.hpp"

namespace flyball::cli {

class PackageInstaller {
 public:
  explicit PackageInstaller(Clock& clock) : clock_(clock) {}

  void install(const std::string& package);

 private:
  Clock& clock_;
  Mutex mutex_;  // apt-get wants to be alone
};

}  // namespace flyball::cli
