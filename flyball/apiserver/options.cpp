#include "flyball/apiserver/options.hpp"

#include <algorithm>

#include "flyball/apiserver/go_errors.hpp"
#include "flyball/apiserver/merge/field_manager.hpp"
#include "flyball/apiserver/refusal.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/kube/go_text.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::string_view kNotOlderThan = "NotOlderThan";
constexpr std::string_view kExact = "Exact";
constexpr std::size_t kLongestManager = 128;

std::string no_number(std::string_view text) {
  return "strconv.ParseUint: parsing " + kube::go::quote(text) + ": invalid syntax";
}

void check_list(const Call& call, Problems& problems) {
  const FieldPath at("resourceVersionMatch");
  const std::string_view match = call.query["resourceVersionMatch"];
  if (!match.empty()) {
    if (call.query["resourceVersion"].empty()) {
      problems.forbidden(at, "resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (!call.query["continue"].empty()) {
      problems.forbidden(at, "resourceVersionMatch is forbidden when continue is provided");
    }
    if (match != kExact && match != kNotOlderThan) problems.not_supported(at, match, {kExact, kNotOlderThan, ""});
    if (match == kExact && call.query["resourceVersion"] == "0") {
      problems.forbidden(at, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }
  }
  if (call.query.contains("sendInitialEvents")) {
    problems.forbidden(FieldPath("sendInitialEvents"), "sendInitialEvents is forbidden for list");
  }
}

void check_watch(const Call& call, bool initial, Problems& problems) {
  const FieldPath at("resourceVersionMatch");
  const std::string_view match = call.query["resourceVersionMatch"];
  if (initial && match != kNotOlderThan) {
    problems.forbidden(at, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  const bool from_now = call.query["resourceVersion"].empty() || call.query["resourceVersion"] == "0";
  if (match.empty() && !initial && from_now && !call.query["continue"].empty()) {
    problems.forbidden(at, "resourceVersionMatch is forbidden when continue is provided");
  }
  if (match.empty()) return;
  if (!initial) {
    problems.forbidden(at, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  if (match != kNotOlderThan) problems.not_supported(at, match, {kNotOlderThan});
  if (!call.query["continue"].empty()) {
    problems.forbidden(at, "resourceVersionMatch is forbidden when continue is provided");
  }
}

kube::Selector labels_of(const Call& call) {
  try {
    return kube::Selector::parse(call.query["labelSelector"]);
  } catch (const InputError& error) {
    throw refuse::bad_request(error.problem());
  }
}

bool is_selectable(const Resource& resource, std::string_view field) {
  if (field == "metadata.name" || (field == "metadata.namespace" && resource.namespaced)) return true;
  return std::ranges::find(resource.traits.fields, field) != resource.traits.fields.end() ||
         std::ranges::find(resource.selectable, field) != resource.selectable.end();
}

Refusal unknown_field(const Resource& resource, std::string_view field) {
  if (resource.is_custom() || !resource.traits.fields.empty()) {
    return refuse::bad_request("field label not supported: " + std::string(field));
  }
  return refuse::bad_request(kube::go::quote(field) + " is not a known field selector: only \"metadata.name\", " +
                             "\"metadata.namespace\"");
}

kube::FieldSelector fields_of(const Call& call, const Resource& resource) {
  kube::FieldSelector selector;
  try {
    selector = kube::FieldSelector::parse(call.query["fieldSelector"]);
  } catch (const InputError& error) {
    throw refuse::bad_request(error.problem());
  }
  for (const kube::FieldRequirement& one : selector.requirements()) {
    if (!is_selectable(resource, one.field)) throw unknown_field(resource, one.field);
  }
  return selector;
}

void check_manager(std::string_view manager, Problems& problems) {
  const FieldPath at("fieldManager");
  if (manager.size() > kLongestManager) problems.too_long(at, kLongestManager);
  for (std::size_t i = 0; i < manager.size(); ++i) {
    const auto c = static_cast<unsigned char>(manager[i]);
    if (c >= 0x20 && c != 0x7F) continue;
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const std::string code = {'U', '+', '0', '0', kDigits[c >> 4U], kDigits[c & 15U]};
    problems.invalid(at, manager, "invalid character " + code + " (at position " + std::to_string(i) + ")");
  }
}

void check_dry_run(const std::vector<std::string>& asked, Problems& problems) {
  if (std::ranges::all_of(asked, [](const std::string& one) { return one == "All"; })) return;
  std::string list = "[";
  for (const std::string& one : asked) list += (list.size() == 1 ? "" : ",") + kube::go::quote(one);
  problems.not_supported(FieldPath("dryRun"), json::parse(list + "]"), {"All"});
}

FieldValidation validation_of(std::string_view text, Problems& problems) {
  if (text.empty() || text == "Warn") return FieldValidation::warn;
  if (text == "Ignore") return FieldValidation::ignore;
  if (text != "Strict") problems.not_supported(FieldPath("fieldValidation"), text, {"", "Ignore", "Strict", "Warn"});
  return FieldValidation::strict;
}

void refuse_options(std::string_view kind, const Problems& problems) {
  if (!problems.empty()) throw refuse::invalid({"meta.k8s.io", std::string(kind)}, "", problems);
}

std::string_view options_kind(WriteKind kind) {
  switch (kind) {
    case WriteKind::create: return "CreateOptions";
    case WriteKind::update: return "UpdateOptions";
    default: return "PatchOptions";
  }
}

void check_delete(const DeleteOptions& options, Problems& problems) {
  const FieldPath at("propagationPolicy");
  const std::string& policy = options.propagation;
  if (options.orphan && !policy.empty()) {
    problems.invalid(at, policy, "orphanDependents and deletionPropagation cannot be both set");
  }
  if (!policy.empty() && policy != "Foreground" && policy != "Background" && policy != "Orphan") {
    problems.not_supported(at, policy, {"Foreground", "Background", "Orphan", "nil"});
  }
}

// Every group version has DeleteOptions, all of them the same: typed clients send those of the object's.
json::Value delete_message(std::string_view body) {
  const kube::Envelope envelope = kube::open_envelope(body);
  if (envelope.kind != "DeleteOptions" || envelope.content_type == "application/json") {
    return kube::protobuf_to_json(body);
  }
  return kube::message_to_json(envelope.object, reflect::type_of<kube::meta::v1::DeleteOptions>());
}

json::Value delete_body(const Call& call) {
  const std::string& body = call.request->body;
  try {
    switch (body_format(call, true)) {
      case BodyFormat::protobuf: return delete_message(body);
      case BodyFormat::yaml: return json::parse_yaml(body);
      case BodyFormat::json: break;
    }
    return json::parse(body, {.duplicates = json::Duplicates::last_wins});
  } catch (const InputError& error) {
    const std::string syntax = go_syntax_error(body);
    throw refuse::bad_request(syntax.empty() ? error.what() : "couldn't get version/kind; json parse error: " + syntax);
  }
}

std::optional<std::string> text_of(json::View value) {
  if (!value.is_string()) return std::nullopt;
  return std::string(value.as_string());
}

DeleteOptions from_body(json::View body, std::vector<std::string>& dry_run) {
  const std::string_view kind = body["kind"].string_or({});
  if (!kind.empty() && kind != "DeleteOptions") {
    throw refuse::bad_request("no kind " + kube::go::quote(kind) + " is registered for version " +
                              kube::go::quote(body["apiVersion"].string_or({})) +
                              " in scheme \"pkg/runtime/scheme.go:111\"");
  }
  if (!body.is_object()) throw refuse::bad_request("decoded object cannot be converted to DeleteOptions");
  DeleteOptions options;
  if (const json::View grace = body["gracePeriodSeconds"]; grace.is_int()) options.grace = grace.as_int();
  options.uid = text_of(body["preconditions"]["uid"]);
  options.resource_version = text_of(body["preconditions"]["resourceVersion"]);
  if (const json::View orphan = body["orphanDependents"]; orphan.is_bool()) options.orphan = orphan.as_bool();
  options.propagation = body["propagationPolicy"].string_or({});
  for (const json::View one : body["dryRun"].items()) dry_run.emplace_back(one.string_or({}));
  return options;
}

DeleteOptions from_query(const Params& query, std::vector<std::string>& dry_run) {
  DeleteOptions options;
  options.grace = query.integer("gracePeriodSeconds");
  options.orphan = query.maybe_flag("orphanDependents");
  options.propagation = query["propagationPolicy"];
  dry_run = query.all("dryRun");
  return options;
}

}  // namespace

std::optional<Revision> parse_revision(std::string_view text) {
  const kube::go::ParsedInt parsed = kube::go::parse_int64(text);
  if (parsed.error == kube::go::IntError::none && parsed.value >= 0) return parsed.value;
  return std::nullopt;
}

Revision check_revision(std::string_view text) {
  if (const auto revision = parse_revision(text)) return *revision;
  throw Refusal({.code = 500, .message = no_number(text)}, {.present = false, .reason = false});
}

ListOptions list_options(const Call& call, const Resource& resource) {
  const bool watching = call.verb == Verb::watch;
  ListOptions options{
      .labels = labels_of(call),
      .fields = {},
      .limit = call.query.integer("limit").value_or(0),
      .continue_ = std::string(call.query["continue"]),
      .match = std::string(call.query["resourceVersionMatch"]),
      .bookmarks = call.query.flag("allowWatchBookmarks"),
      .timeout = call.query.integer("timeoutSeconds"),
  };
  const std::optional<bool> initial = call.query.maybe_flag("sendInitialEvents");
  options.send_initial_events = initial.value_or(false);
  Problems problems;
  if (watching) {
    check_watch(call, initial.has_value(), problems);
  } else {
    check_list(call, problems);
  }
  refuse_options("ListOptions", problems);
  if (const std::string_view revision = call.query["resourceVersion"]; !revision.empty()) {
    options.revision = parse_revision(revision);
    if (!options.revision) {
      Problems wrong;
      wrong.invalid(FieldPath("resourceVersion"), revision, no_number(revision));
      if (watching) throw Refusal({.code = 500, .message = wrong.text()}, {.present = false, .reason = false});
      throw refuse::bad_request("invalid resource version: " + wrong.text());
    }
  }
  options.fields = fields_of(call, resource);
  if (call.name.empty()) return options;
  if (const auto chosen = options.fields.exact_match("metadata.name"); chosen && *chosen != call.name) {
    throw refuse::bad_request("fieldSelector metadata.name doesn't match requested name");
  }
  options.fields.require("metadata.name", call.name);
  return options;
}

WriteOptions write_options(const Call& call, WriteKind kind) {
  Problems problems;
  const std::string_view manager = call.query["fieldManager"];
  const std::vector<std::string> dry_run = call.query.all("dryRun");
  if (kind == WriteKind::apply && manager.empty()) {
    problems.required(FieldPath("fieldManager"), "is required for apply patch");
  }
  if (kind == WriteKind::patch && call.query.contains("force")) {
    problems.forbidden(FieldPath("force"), "may not be specified for non-apply patch");
  }
  check_manager(manager, problems);
  check_dry_run(dry_run, problems);
  WriteOptions options{.manager = std::string(manager), .dry_run = !dry_run.empty(), .force = call.query.flag("force")};
  options.validation = validation_of(call.query["fieldValidation"], problems);
  refuse_options(options_kind(kind), problems);
  if (options.manager.empty()) options.manager = merge::manager_from_user_agent(call.header("User-Agent"));
  return options;
}

DeleteOptions delete_options(const Call& call) {
  std::vector<std::string> dry_run;
  DeleteOptions options =
      call.request->body.empty() ? from_query(call.query, dry_run) : from_body(delete_body(call), dry_run);
  options.dry_run = !dry_run.empty();
  Problems problems;
  check_delete(options, problems);
  check_dry_run(dry_run, problems);
  refuse_options("DeleteOptions", problems);
  return options;
}

std::string field_text(json::View object, std::string_view field) {
  // Events have two forms of their source; flags that are not set read as false.
  if (field == "source") {
    const std::string_view component = object["source"]["component"].string_or({});
    return std::string(component.empty() ? object["reportingComponent"].string_or({}) : component);
  }
  json::View at = object;
  std::string_view rest = field;
  while (!rest.empty()) {
    const std::size_t dot = rest.find('.');
    at = at[rest.substr(0, dot)];
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  }
  if (at.is_string()) return std::string(at.as_string());
  if (at.is_bool()) return at.as_bool() ? "true" : "false";
  if (at.is_int()) return std::to_string(at.as_int());
  if (field == "spec.unschedulable" || field == "spec.hostNetwork") return "false";
  if (field == "status.successful" || field.ends_with("replicas")) return "0";
  return {};
}

}  // namespace flyball::apiserver
