// The Events of a namespace or of one object, the oldest first.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "cli/access.hpp"
#include "cli/text_table.hpp"

#include "flyball/json/value.hpp"

namespace flyball::cli {

struct EventQuery {
  std::string namespace_ = {};  // empty: all
  std::string kind = {};        // of the object they are about; empty: any
  std::string name = {};
  std::string uid = {};
  std::string type = {};  // "Warning"; empty: any
};

std::vector<json::Value> find_events(Access& access, const EventQuery& query);
TextTable event_table(const std::vector<json::Value>& events, WallTime now, bool namespaces, bool objects);

}  // namespace flyball::cli
