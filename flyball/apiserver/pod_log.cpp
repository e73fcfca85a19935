#include "flyball/apiserver/pod_log.hpp"

#include <string_view>
#include <utility>

#include "flyball/apiserver/object.hpp"
#include "flyball/apiserver/pod_container.hpp"
#include "flyball/apiserver/reads.hpp"
#include "flyball/apiserver/refusal.hpp"
#include "flyball/client/whole_body.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

std::optional<kube::Time> since_of(const Context& context) {
  if (const auto seconds = context.call.query.integer("sinceSeconds")) {
    return kube::Time::from_unix(context.now().unix_seconds() - *seconds);
  }
  const std::string_view time = context.call.query["sinceTime"];
  if (time.empty()) return std::nullopt;
  try {
    return kube::Time::parse(time);
  } catch (const InputError& error) {
    throw refuse::bad_request(error.what());
  }
}

}  // namespace

bool is_pod_log(const net::Request& request) {
  if (request.method != "GET") return false;
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  return path.starts_with("/api/v1/namespaces/") && path.ends_with("/log") &&
         path.find("/pods/") != std::string_view::npos;
}

bool follows_pod_log(const net::Request& request) {
  if (!is_pod_log(request)) return false;
  const std::size_t query = request.target.find('?');
  return query != std::string::npos && Params(std::string_view(request.target).substr(query + 1)).flag("follow");
}

std::unique_ptr<client::BodyStream> open_pod_log(Context& context, PodDoor& door) {
  const Params& query = context.call.query;
  PodLogRequest request{.pod = Object::parse(context.resource, *load_text(context, context.call.name)).as<core::Pod>(),
                        .follow = query.flag("follow"),
                        .previous = query.flag("previous"),
                        .timestamps = query.flag("timestamps"),
                        .tail_lines = query.integer("tailLines"),
                        .limit_bytes = query.integer("limitBytes"),
                        .since = since_of(context)};
  request.container = container_of(request.pod, query["container"]);
  // One that no node has yet has said nothing.
  if (request.pod.spec.nodeName.empty()) {
    return std::make_unique<client::WholeBody>(
        net::Response{.status = 200, .headers = {{"Content-Type", "text/plain"}}, .body = {}});
  }
  try {
    return door.logs(request);
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    throw refuse::bad_request(error.what());
  }
}

}  // namespace flyball::apiserver
