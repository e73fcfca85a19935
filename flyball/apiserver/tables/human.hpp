// Ages and durations as kubectl prints them: "5d3h", "<unknown>", "<invalid>".
//
//   human_duration(75h)                              // "3d3h"
//   human_age(pod["metadata"]["creationTimestamp"], clock.wall_now())
//
// Two or three digits that count: seconds up to two minutes, then minutes and seconds, and so on up to years. What lies
// more than a second in the future is "<invalid>".
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "flyball/base/clock.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::apiserver {

std::string human_duration(Duration duration);

// How long ago `time`, a date of RFC 3339, is. "<unknown>" when there is none.
std::string human_age(json::View time, WallTime now);
std::string human_age(kube::MicroTime time, WallTime now);

// The moment a date of RFC 3339 names; zero when there is none.
kube::MicroTime moment(json::View time);

}  // namespace flyball::apiserver
