// check: the error of a system call as an Error with words.
//
//   check(::sethostname(name.data(), name.size()), "set the hostname to " + name);
//
// Thread-safety: any thread.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include "flyball/base/error.hpp"

namespace flyball::cluster::node {

template <class Result>
Result check(Result result, const std::string& what) {
  if (result >= 0) return result;
  throw Error("cannot " + what + ": " + std::generic_category().message(errno));
}

}  // namespace flyball::cluster::node
