// Labels: the map of names to values that an object carries, and that selectors choose by.
//
//   const Labels labels{{"app", "memcached"}, {"tier", "cache"}};
//
// What keys and values may look like: names.hpp. Choosing by them: selector.hpp.
#pragma once

#include <map>
#include <string>

namespace flyball::kube {

using Labels = std::map<std::string, std::string>;

}  // namespace flyball::kube

namespace flyball {
using kube::Labels;
}
