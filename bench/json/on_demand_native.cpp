// On-demand again, compiled for the CPU of this machine.
#include "json/on_demand.hpp"

namespace bench {

Contestant simdjson_on_demand_native_contestant(const std::string& text) {
  return on_demand("simdjson on-demand, -march=native (" + kKernel + ")", text);
}

}  // namespace bench
