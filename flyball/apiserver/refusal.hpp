// Refusal: the server says no. What it throws anywhere in the chain becomes the Status that the client gets.
//
//   throw refuse::not_found({"apps", "deployments"}, "web");        // deployments.apps "web" not found
//   throw refuse::invalid({"apps", "Deployment"}, "web", problems);
//
// The words are those of kube-apiserver: clients, people and scripts read them.
//
// Thread-safety: values.
#pragma once

#include <string>
#include <string_view>

#include "flyball/apiserver/problems.hpp"
#include "flyball/base/api_error.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver {

// A group with a resource ("deployments") or a kind ("Deployment") of it.
struct GroupName {
  std::string group = {};
  std::string name = {};
  std::string text() const { return group.empty() ? name : name + "." + group; }
};

// What Status.details says beside the causes.
struct RefusalDetails {
  std::string name = {};
  std::string group = {};
  std::string kind = {};
  std::string uid = {};
  bool present = true;           // false: no details at all
  bool reason = true;            // false: a code without a reason, as upstream has it for some
  std::string reason_text = {};  // instead of ours: webhooks may give any
};

class Refusal : public ApiError {
 public:
  Refusal(Details details, RefusalDetails about, std::string continue_token = {});

  const RefusalDetails& about() const noexcept { return about_; }
  // The Status object, as it goes to the client.
  json::Value status() const;

 private:
  RefusalDetails about_;
  std::string continue_;  // of a list that expired: where to go on
};

// What any other exception becomes: 500, with its words.
Refusal refusal_of(const std::exception& error);

namespace refuse {

Refusal bad_request(std::string message);
Refusal not_found(const GroupName& resource, std::string_view name);
// There is no such path.
Refusal no_such_path();
Refusal already_exists(const GroupName& resource, std::string_view name);
Refusal generated_name_taken(const GroupName& resource, std::string_view name);
// "Operation cannot be fulfilled on pods \"x\": " and why.
Refusal conflict(const GroupName& resource, std::string_view name, std::string_view why);
// The usual why: somebody else was faster.
inline constexpr std::string_view kModified =
    "the object has been modified; please apply your changes to the latest version and try again";
Refusal invalid(const GroupName& kind, std::string_view name, const Problems& problems);
Refusal forbidden(const GroupName& resource, std::string_view name, std::string_view why,
                  std::vector<ApiError::Cause> causes = {});
// Nobody known sent this.
Refusal unauthorized();
// The path has no such method.
Refusal wrong_method();
Refusal not_acceptable(std::string_view supported);
Refusal unsupported_media_type(std::string_view supported);
Refusal expired(std::string message, std::string continue_token = {});
Refusal too_large_version(long long asked, long long now);
Refusal request_too_large(std::string message);
Refusal too_many_requests(std::string message, int retry_after, std::vector<ApiError::Cause> causes = {});
Refusal internal(std::string_view message);

}  // namespace refuse
}  // namespace flyball::apiserver
