// flyball version: of the command, of the Kubernetes it speaks, of the compiler it was built with.
#include "flyball/runtime/version.hpp"

#include <ostream>

#include "cli/commands.hpp"
#include "cli/flags.hpp"

namespace flyball::cli {
namespace {

constexpr const char* kKubernetes = "v1.36";

int version(const Given& given, Io& io) {
  const std::string flyball(runtime::kVersion);
  const std::string format = given.text("output");
  if (format == "json")
    io.out << R"({"flyball":")" << flyball << R"(","kubernetes":")" << kKubernetes << R"(","compiler":")" << __VERSION__
           << "\"}\n";
  else if (format == "yaml")
    io.out << "flyball: " << flyball << "\nkubernetes: " << kKubernetes << "\ncompiler: \"" << __VERSION__ << "\"\n";
  else
    io.out << "flyball " << flyball << " (Kubernetes " << kKubernetes << ", g++ " << __VERSION__ << ")\n";
  return kOk;
}

}  // namespace

Command version_command() {
  return {.name = "version",
          .topic = Topic::other,
          .summary = "the version of flyball, and of the Kubernetes it speaks",
          .flags = {{.name = "output",
                     .letter = 'o',
                     .value = "FORMAT",
                     .help = "how it is printed",
                     .fallback = "text",
                     .choices = {"text", "json", "yaml"}}},
          .run = version};
}

}  // namespace flyball::cli
