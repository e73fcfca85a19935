// The processes of this machine, from /proc: which programs run below one of ours.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace demo {

struct Running {
  int id = 0;
  int parent = 0;
  std::string program = {};
};

inline std::map<int, Running> all_processes() {
  std::map<int, Running> all;
  for (const auto& folder : std::filesystem::directory_iterator("/proc")) {
    const std::string name = folder.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    // "12 (memcached) S 7 …": the program may have spaces and brackets in its name.
    std::ifstream file(folder.path() / "stat");
    std::string line;
    if (!std::getline(file, line)) continue;
    const std::size_t open = line.find('(');
    const std::size_t close = line.rfind(')');
    if (open == std::string::npos || close == std::string::npos || line.substr(close).size() < 5) continue;
    if (line[close + 2] == 'Z') continue;
    const Running one{.id = std::stoi(name),
                      .parent = std::stoi(line.substr(close + 4)),
                      .program = line.substr(open + 1, close - open - 1)};
    all[one.id] = one;
  }
  return all;
}

// Those of `program` that descend from `ancestor`.
inline std::vector<int> processes_below(int ancestor, const std::string& program) {
  const auto all = all_processes();
  std::vector<int> found;
  for (const auto& [id, one] : all) {
    if (one.program != program) continue;
    auto at = all.find(id);
    while (at != all.end() && at->first != ancestor) at = all.find(at->second.parent);
    if (at != all.end()) found.push_back(id);
  }
  return found;
}

}  // namespace demo
