// Flag: a bool that a std::vector can hold by address, which std::vector<bool> cannot.
//
//   std::vector<Flag> bools = {true, false};
//   if (bools[0]) ...
#pragma once

#include "flyball/reflect/type_ref.hpp"

namespace flyball::kube {

struct Flag {
  bool value = false;

  constexpr Flag() = default;
  constexpr Flag(bool is) : value(is) {}
  constexpr operator bool() const { return value; }
};

}  // namespace flyball::kube

namespace flyball::reflect {

template <>
const Type& type_of<kube::Flag>();

}  // namespace flyball::reflect
