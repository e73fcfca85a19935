#include <sstream>

#include "flyball/base/error.hpp"
#include "flyball/base/process.hpp"
#include "flyball/image/build.hpp"
#include "flyball/image/elf.hpp"

namespace flyball::image {

std::vector<ImageFile> shared_libraries(Clock& clock, const std::string& program, const Stop& stop) {
  const std::string loader = elf_facts(read_file(program)).interpreter;
  if (loader.empty()) return {};
  const RunResult result = run(clock, {loader, "--list", program}, {}, stop);
  if (!result.status.ok())
    throw Error(loader + " --list " + program + " " + result.status.text() + ": " + result.error);
  std::vector<ImageFile> files{{.path = loader, .bytes = read_file(loader)}};
  // Lines such as "libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x…)"; the kernel's own has no file.
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t arrow = line.find(" => ");
    if (arrow == std::string::npos) continue;
    const std::string path = line.substr(arrow + 4, line.rfind(" (") - arrow - 4);
    if (!path.starts_with('/'))
      throw Error(program + " needs " + line.substr(0, arrow) + ", which is not on this machine");
    if (path != loader) files.push_back({.path = path, .bytes = read_file(path)});
  }
  return files;
}

}  // namespace flyball::image
