// What the tests of the operator share: the operator itself.
//
// GoogleTest comes first: behind `using namespace flyball` its own `testing` would have a rival.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <flyball/testing/environment.hpp>

#include "bar.cpp"  // NOLINT(bugprone-suspicious-include): an operator is one file
