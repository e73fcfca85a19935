// A text: as a kubeconfig it is refused with an InputError, or each of its contexts is, or it names a server.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/client/kubeconfig.hpp"

namespace {

using namespace flyball;

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Files it names are opened, and a terminal is a file that never ends.
  if (text.find("dev") != std::string_view::npos || text.find("proc") != std::string_view::npos) return 0;
  RealClock clock;
  try {
    const auto kubeconfig = client::Kubeconfig::parse(text, "/nowhere/config");
    for (const std::string& name : kubeconfig.contexts()) {
      try {
        const client::Config config =
            kubeconfig.config(clock, {.context = name, .variable = [](const char*) { return std::string(); }});
        check(config.server.scheme == "https" || config.server.scheme == "http");
        check(!config.namespace_.empty() && !config.source.empty());
      } catch (const InputError& error) {
        check(error.path().find("/nowhere/config") != std::string::npos);
      }
    }
  } catch (const InputError& error) {
    check(error.path() == "/nowhere/config");
  }
  return 0;
}
