#include "flyball/apiserver/auth/user.hpp"

#include "flyball/json/builder.hpp"

namespace flyball::apiserver {

User service_account_user(const std::string& space, const std::string& name) {
  return {.name = "system:serviceaccount:" + space + ":" + name,
          .groups = {"system:serviceaccounts", "system:serviceaccounts:" + space}};
}

json::Value to_json(const User& user) {
  const auto list = [](json::Builder& to, const std::vector<std::string>& all) {
    to.begin_array();
    for (const std::string& each : all) to.string(each);
    to.end();
  };
  json::Builder to;
  to.begin_object().key("username").string(user.name);
  if (!user.uid.empty()) to.key("uid").string(user.uid);
  if (!user.groups.empty()) list(to.key("groups"), user.groups);
  if (!user.extra.empty()) {
    to.key("extra").begin_object();
    for (const auto& [key, values] : user.extra) list(to.key(key), values);
    to.end();
  }
  to.end();
  return to.finish();
}

}  // namespace flyball::apiserver
