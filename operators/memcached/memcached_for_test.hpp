// What the tests of the operator share: the operator itself, and a cluster that makes its pods ready.
//
// GoogleTest comes first: behind `using namespace flyball` its own `testing` would have a rival.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <flyball/testing/environment.hpp>

#include "memcached.cpp"  // NOLINT(bugprone-suspicious-include): an operator is one file

// A pod of that Memcached comes up, as a kubelet would report it.
inline void make_ready(TestEnvironment& env, const std::string& memcached, const std::string& pod) {
  env.create(core::Pod{.metadata = {.name = pod, .namespace_ = "default", .labels = {{"memcached_cr", memcached}}},
                       .spec = {.containers = {{.name = "memcached", .image = "memcached:1.6"}}},
                       .status = {}});
  env.edit_status<core::Pod>(pod, [](core::Pod& of) { of.status.conditions = {{.type = "Ready", .status = "True"}}; });
}
