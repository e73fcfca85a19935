#include "flyball/client/requests.hpp"

#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"

namespace flyball::client {
namespace {

std::string_view word(FieldValidation validation) {
  switch (validation) {
    case FieldValidation::server: return {};
    case FieldValidation::ignore: return "Ignore";
    case FieldValidation::warn: return "Warn";
    case FieldValidation::strict: return "Strict";
  }
  return {};
}

std::string_view word(Propagation propagation) {
  switch (propagation) {
    case Propagation::server: return {};
    case Propagation::background: return "Background";
    case Propagation::foreground: return "Foreground";
    case Propagation::orphan: return "Orphan";
  }
  return {};
}

}  // namespace

void add_selectors(const ListOptions& options, net::Query& query) {
  kube::Selector selector = options.selector;
  for (const auto& [name, value] : options.labels) {
    selector.add(kube::Requirement(name, kube::Operator::equals, {value}));
  }
  if (selector.is_nothing()) {
    throw InputError({}, "selector", "a selector that matches nothing cannot be sent: skip the request instead");
  }
  if (!selector.is_everything()) query.add("labelSelector", selector.to_string());
  if (!options.fields.is_everything()) query.add("fieldSelector", options.fields.to_string());
}

void add_write_options(const WriteOptions& options, const std::string& default_manager, net::Query& query) {
  query.add("fieldManager", options.field_manager.empty() ? default_manager : options.field_manager);
  if (options.dry_run) query.add("dryRun", "All");
  if (const auto validation = word(options.validation); !validation.empty()) query.add("fieldValidation", validation);
}

std::string delete_body(const DeleteOptions& options) {
  json::Builder body;
  body.begin_object();
  body.key("apiVersion").string("v1").key("kind").string("DeleteOptions");
  if (options.grace) body.key("gracePeriodSeconds").integer(options.grace->count());
  if (const auto policy = word(options.propagation); !policy.empty()) body.key("propagationPolicy").string(policy);
  if (options.dry_run) body.key("dryRun").begin_array().string("All").end();
  if (!options.uid.empty() || !options.resource_version.empty()) {
    body.key("preconditions").begin_object();
    if (!options.uid.empty()) body.key("uid").string(options.uid);
    if (!options.resource_version.empty()) body.key("resourceVersion").string(options.resource_version);
    body.end();
  }
  body.end();
  return json::write(body.finish());
}

std::string_view patch_content_type(PatchType type) {
  switch (type) {
    case PatchType::json: return "application/json-patch+json";
    case PatchType::merge: return "application/merge-patch+json";
    case PatchType::strategic: return "application/strategic-merge-patch+json";
  }
  return {};
}

std::string with_query(std::string path, const net::Query& query) {
  if (!query.empty()) path += "?" + query.text();
  return path;
}

}  // namespace flyball::client
