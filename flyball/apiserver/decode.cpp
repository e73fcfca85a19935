#include "flyball/apiserver/decode.hpp"

#include <algorithm>
#include <utility>

#include "flyball/apiserver/go_errors.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::string_view kUnknown = "unknown field ";
constexpr std::string_view kAllFormats = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
constexpr std::string_view kTextFormats = "application/json, application/yaml";

// The first bytes of a body, for a person.
std::string summary(std::string_view body) {
  if (body.empty()) return "<empty>";
  if (std::ranges::all_of(body, [](char c) { return c == ' ' || c == '\n'; })) return "<empty>";
  const std::string_view start = body.substr(0, 30);
  // What does not look like JSON is shown byte by byte.
  if (body.front() != '{') {
    std::string bytes;
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (const char c : start) {
      const auto byte = static_cast<unsigned char>(c);
      bytes += {kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
    return body.size() > 30 ? bytes + " ..." : bytes;
  }
  return std::string(start) + (body.size() > 30 ? " ..." : "");
}

Refusal unrecognized(const Resource& resource, std::string_view why, std::string_view body) {
  return refuse::bad_request("the object provided is unrecognized (must be of type " + resource.kind +
                             "): " + std::string(why) + " (" + summary(body) + ")");
}

Refusal no_json(const Resource& resource, std::string_view text) {
  std::string why = go_syntax_error(text);
  if (why.empty()) {
    why = "json: cannot unmarshal " +
          std::string(text.front() == '['   ? "array"
                      : text.front() == '"' ? "string"
                                            : "number") +
          " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
          "\"json:\\\"kind,omitempty\\\"\" }";
  }
  return unrecognized(resource, "couldn't get version/kind; json parse error: " + why, text);
}

Refusal unfit(const Resource& resource, std::string_view why) {
  return refuse::bad_request(resource.kind + " in version \"" + resource.version + "\" cannot be handled as a " +
                             resource.kind + ": " + std::string(why));
}

bool is_strict_problem(const InputError& problem) {
  return problem.problem().starts_with(kUnknown) || problem.problem().ends_with(" stands twice");
}

// `unknown field "spec.x"`: with the whole path, as Go says it.
std::string strict_text(const InputError& problem) {
  const bool unknown = problem.problem().starts_with(kUnknown);
  return std::string(unknown ? "unknown field \"" : "duplicate field \"") + problem.path() + "\"";
}

// Go stops at the first.
std::string first_text(const reflect::Type& type, const std::vector<InputError>& problems) {
  for (const InputError& problem : problems) {
    if (!is_strict_problem(problem)) return go_type_error(type, problem);
  }
  return {};
}

// A built-in object from JSON text. What is unknown or repeated goes to `strict`.
void decode_text(std::string_view text, const Resource& resource, void* to, FieldValidation validation,
                 std::vector<std::string>& strict) {
  try {
    return reflect::decode(text, *resource.type, to, {.strict = validation != FieldValidation::ignore});
  } catch (const reflect::DecodeError& error) {
    for (const InputError& problem : error.problems()) {
      if (is_strict_problem(problem)) strict.push_back(strict_text(problem));
    }
    if (strict.size() != error.problems().size()) throw unfit(resource, first_text(*resource.type, error.problems()));
  } catch (const json::ParseError&) {
    throw no_json(resource, text);
  }
  reflect::decode(text, *resource.type, to);
}

// Whether the body says that nobody owns anything; a decoded list cannot tell.
bool empties_managed_fields(std::string_view text) {
  if (text.find("\"managedFields\"") == std::string_view::npos) return false;
  const json::Value value = json::parse(text, {.duplicates = json::Duplicates::last_wins});
  const json::View fields = value["metadata"]["managedFields"];
  return fields.is_array() && fields.empty();
}

struct TypeMeta {
  std::string api_version = {};
  std::string kind = {};
};

// What the body says it is must be what the path asks for.
void check_type(const TypeMeta& found, const Resource& resource) {
  const std::string& version = found.api_version.empty() ? resource.api_version() : found.api_version;
  const std::string& kind = found.kind.empty() ? resource.kind : found.kind;
  if (!resource.is_custom() && kube::find_kind(version, kind) == nullptr) {
    throw refuse::bad_request(kind + " in version \"" + version.substr(version.find('/') + 1) +
                              "\" cannot be handled as a " + resource.kind + ": no kind \"" + kind +
                              "\" is registered for version \"" + version +
                              "\" in scheme \"pkg/runtime/scheme.go:111\"");
  }
  if (!resource.is_custom() && kind != resource.kind) {
    throw refuse::bad_request(kind + " in version \"" + version.substr(version.find('/') + 1) +
                              "\" cannot be handled as a " + resource.kind + ": converting (" +
                              version.substr(version.find('/') + 1) + "." + kind + ") to (" +
                              go_package(resource.group) + "." + resource.kind + "): unknown conversion");
  }
  if (!found.api_version.empty() && found.api_version != resource.api_version()) {
    throw refuse::bad_request("the API version in the data (" + found.api_version +
                              ") does not match the expected API version (" + resource.api_version() + ")");
  }
}

TypeMeta type_of_text(std::string_view text, const Resource& resource) {
  if (text == "null") return {};
  try {
    const kube::Metadata metadata = kube::metadata_of(text);
    return {.api_version = std::string(metadata.api_version), .kind = std::string(metadata.kind)};
  } catch (const InputError&) {
    throw no_json(resource, text);
  }
}

json::Value parse_custom(std::string_view text, const Resource& resource, std::vector<std::string>& strict) {
  try {
    std::vector<InputError> repeated;
    json::Value value = json::parse(text, {.duplicates = json::Duplicates::last_wins, .reports = &repeated});
    for (const InputError& problem : repeated) strict.push_back("duplicate field \"" + problem.path() + "\"");
    if (!value.is_object()) throw unrecognized(resource, "json: cannot unmarshal into an object", text);
    return value;
  } catch (const json::ParseError&) {
    throw no_json(resource, text);
  }
}

// Metadata is the same for all kinds: what it does not have is unknown.
void add_unknown_metadata(const json::Value& value, std::vector<std::string>& strict) {
  if (!value["metadata"].is_object()) return;
  ObjectMeta metadata;
  try {
    reflect::decode(json::write(value["metadata"]), reflect::type_of<ObjectMeta>(), &metadata, {.strict = true});
  } catch (const reflect::DecodeError& error) {
    for (const InputError& problem : error.problems()) {
      if (problem.problem().starts_with(kUnknown))
        strict.push_back("unknown field \"metadata." + problem.path() + "\"");
    }
  }
}

Decoded decode_text_body(std::string_view text, const ResourcePointer& resource, FieldValidation validation) {
  if (resource->is_custom()) {
    std::vector<std::string> strict;
    json::Value value = parse_custom(text, *resource, strict);
    check_type({.api_version = std::string(value["apiVersion"].string_or({})),
                .kind = std::string(value["kind"].string_or({}))},
               *resource);
    if (value["kind"].string_or({}).empty()) {
      throw unrecognized(*resource, "Object 'Kind' is missing in '" + std::string(text) + "'", text);
    }
    if (const std::string kind(value["kind"].as_string()); kind != resource->kind) {
      Problems problems;
      problems.invalid(FieldPath("kind"), kind, "must be " + resource->kind);
      throw refuse::invalid({resource->group, kind}, value["metadata"]["name"].string_or({}), problems);
    }
    add_unknown_metadata(value, strict);
    try {
      return {Object(resource, std::move(value)), std::move(strict)};
    } catch (const Error& error) {
      throw unfit(*resource, error.what());
    }
  }
  check_type(type_of_text(text, *resource), *resource);
  Decoded decoded{Object(resource)};
  decode_text(text, *resource, decoded.object.get(), validation, decoded.strict);
  decoded.object.set_empties_managed_fields(empties_managed_fields(text));
  return decoded;
}

// The first document; what follows it is passed over, as upstream does.
std::string text_of_yaml(std::string_view body, const Resource& resource, std::vector<InputError>& repeated) {
  try {
    json::YamlDocuments documents(body, {.duplicates = json::Duplicates::last_wins, .reports = &repeated});
    const auto first = documents.next();
    return first ? json::write(*first) : "null";
  } catch (const json::ParseError& error) {
    throw unrecognized(resource, std::string("error converting YAML to JSON: ") + error.what(), body);
  }
}

Decoded decode_protobuf(std::string_view body, const ResourcePointer& resource) {
  try {
    const kube::Envelope envelope = kube::open_envelope(body);
    check_type({.api_version = std::string(envelope.api_version), .kind = std::string(envelope.kind)}, *resource);
    Decoded decoded{Object(resource)};
    kube::decode_message(envelope.object, *resource->type, decoded.object.get());
    return decoded;
  } catch (const InputError& error) {
    if (!kube::is_protobuf(body)) {
      throw unrecognized(
          *resource, "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]", body);
    }
    throw unrecognized(*resource, error.what(), body);
  }
}

Decoded decode_yaml(std::string_view body, const ResourcePointer& resource, FieldValidation validation) {
  std::vector<InputError> repeated;
  Decoded decoded = decode_text_body(text_of_yaml(body, *resource, repeated), resource, validation);
  for (const InputError& problem : repeated) {
    const std::string key = problem.path().substr(problem.path().find_last_of('.') + 1);
    const std::string text =
        "line " + std::to_string(problem.position().line) + ": key \"" + key + "\" already set in map";
    decoded.strict.push_back(validation == FieldValidation::strict ? "yaml: unmarshal errors:\n  " + text : text);
  }
  return decoded;
}

}  // namespace

BodyFormat body_format(const Call& call, bool protobuf) {
  const std::string type = media_type_of(call.header("Content-Type"));
  if (type.empty() || type == "application/json") return BodyFormat::json;
  if (type == "application/yaml") return BodyFormat::yaml;
  if (type == "application/vnd.kubernetes.protobuf" && protobuf) return BodyFormat::protobuf;
  throw refuse::unsupported_media_type(protobuf ? kAllFormats : kTextFormats);
}

Decoded decode_body(const Call& call, const ResourcePointer& resource, FieldValidation validation) {
  const std::string_view body = call.request->body;
  switch (body_format(call, !resource->is_custom())) {
    case BodyFormat::protobuf: return decode_protobuf(body, resource);
    case BodyFormat::yaml: return decode_yaml(body, resource, validation);
    case BodyFormat::json: break;
  }
  return decode_text_body(body, resource, validation);
}

Decoded decode_value(json::View value, const ResourcePointer& resource, FieldValidation validation) {
  return decode_text_body(json::write(value), resource, validation);
}

void report_strict(const std::vector<std::string>& problems, FieldValidation validation, const Resource& resource,
                   std::vector<std::string>& warnings) {
  if (problems.empty() || validation == FieldValidation::ignore) return;
  if (validation == FieldValidation::warn) {
    warnings.insert(warnings.end(), problems.begin(), problems.end());
    return;
  }
  std::string all;
  for (const std::string& problem : problems) all += (all.empty() ? "" : ", ") + problem;
  throw unfit(resource, "strict decoding error: " + all);
}

}  // namespace flyball::apiserver
