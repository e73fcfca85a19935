#include "flyball/client/detail/watch_request.hpp"

#include "flyball/base/error.hpp"
#include "flyball/client/requests.hpp"
#include "flyball/client/wire.hpp"
#include "flyball/net/url.hpp"

namespace flyball::client::detail {
namespace {

ListOptions selectors_of(const WatchOptions& options) {
  ListOptions list{.labels = options.labels, .selector = options.selector, .fields = options.fields};
  if (!options.name.empty()) list.fields.require("metadata.name", options.name);
  return list;
}

// Protobuf costs the server half of JSON; it answers in JSON for what has no other form.
std::string accept(const WatchOptions& options, std::string_view partial_kind) {
  if (options.extent == Extent::whole) {
    std::string accept = options.resource.protobuf ? std::string(kProtobufType) + "," : "";
    return accept.append(kJsonType);
  }
  const std::string as = ";as=" + std::string(partial_kind) + ";g=meta.k8s.io;v=v1,";
  std::string accept(kProtobufType);
  // From a server that does not know partial objects we take whole ones.
  return accept.append(as).append(kJsonType).append(as).append(kJsonType);
}

net::Request request(const WatchOptions& options, const net::Query& query, std::string_view partial_kind) {
  net::Request request;
  request.target = with_query(options.resource.path(std::string_view(options.namespace_)), query);
  request.headers.set("Accept", accept(options, partial_kind));
  return request;
}

net::Query watch_query(const WatchOptions& options, Duration life) {
  net::Query query;
  query.add("watch", "true").add("allowWatchBookmarks", "true");
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(life).count();
  query.add("timeoutSeconds", std::to_string(seconds));
  add_selectors(selectors_of(options), query);
  return query;
}

}  // namespace

net::Request list_request(const WatchOptions& options, std::string_view page_token, std::size_t page_size) {
  net::Query query;
  if (page_size != 0) query.add("limit", std::to_string(page_size));
  if (!page_token.empty()) query.add("continue", page_token);
  add_selectors(selectors_of(options), query);
  return request(options, query, "PartialObjectMetadataList");
}

net::Request watch_request(const WatchOptions& options, std::string_view resource_version, Duration life) {
  net::Query query = watch_query(options, life);
  query.add("resourceVersion", resource_version);
  return request(options, query, "PartialObjectMetadata");
}

net::Request watch_list_request(const WatchOptions& options, Duration life) {
  net::Query query = watch_query(options, life);
  query.add("sendInitialEvents", "true").add("resourceVersionMatch", "NotOlderThan");
  return request(options, query, "PartialObjectMetadata");
}

std::string resource_name(const WatchOptions& options) {
  const std::string& group = options.resource.kind.group;
  return group.empty() ? options.resource.plural : options.resource.plural + "." + group;
}

std::string scope_text(const WatchOptions& options) {
  std::string text;
  const auto add = [&](std::string_view part) {
    if (!text.empty()) text += ", ";
    text += part;
  };
  if (!options.namespace_.empty()) add("namespace " + options.namespace_);
  net::Query selectors;
  add_selectors(selectors_of(options), selectors);
  for (const auto& [name, value] : net::Query::parse(selectors.text())) add(value);
  return text;
}

void check(const WatchOptions& options) {
  if (options.resource.plural.empty()) {
    throw InputError({}, "resource", "a watch needs to know what to watch: resource_of<core::Pod>(), for example");
  }
  // These throw for what cannot be sent.
  net::Query query;
  add_selectors(selectors_of(options), query);
  (void)options.resource.path(std::string_view(options.namespace_));
}

}  // namespace flyball::client::detail
