// Where the output of containers is kept: one file for each run, as it was printed.
//
//   log_file(folder, uid, "web", 0)           // …/pods/1f0c…/logs/web/0.log
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

namespace flyball::cluster::node {

inline std::string log_file(const std::string& folder, const std::string& uid, const std::string& container,
                            std::int32_t run) {
  return folder + "/pods/" + uid + "/logs/" + container + "/" + std::to_string(run) + ".log";
}

}  // namespace flyball::cluster::node
