// User: somebody who asks the API server for something.
//
// Thread-safety: a value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flyball/json/value.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::apiserver {

struct User {
  std::string name = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};
  friend bool operator==(const User&, const User&) = default;
};

inline constexpr std::string_view kAuthenticated = "system:authenticated";
inline constexpr std::string_view kUnauthenticated = "system:unauthenticated";
inline constexpr std::string_view kAnonymous = "system:anonymous";

// "system:serviceaccount:shop:web", with its groups.
User service_account_user(const std::string& space, const std::string& name);

// As reviews say it: username, uid, groups, extra.
json::Value to_json(const User& user);

}  // namespace flyball::apiserver
