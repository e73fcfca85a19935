// wait_until: look again and again until something holds, or patience ends.
//
//   const bool gone = wait_until(access.clock(), std::chrono::seconds(60), [&] { return !client.find<…>(key); });
//
// Thread-safety: one thread; the function runs on it.
#pragma once

#include <functional>

#include "flyball/base/clock.hpp"

namespace flyball::cli {

// Whether it held in the end. Looks at once, then each `pause`.
bool wait_until(Clock& clock, Duration patience, const std::function<bool()>& holds,
                Duration pause = std::chrono::milliseconds(100));

}  // namespace flyball::cli
