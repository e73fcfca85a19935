#include "flyball/cluster/controllers.hpp"

namespace flyball::cluster {

// NOLINTNEXTLINE(readability-named-parameter): there is none yet
void declare_controllers(runtime::Operator&) {}

}  // namespace flyball::cluster
