// flyball explain: the fields of a kind, as the server's own schema describes them.
#include <algorithm>
#include <ostream>
#include <set>

#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/printing.hpp"
#include "cli/targets.hpp"

#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/reflect/schema.hpp"

namespace flyball::cli {
namespace {

// The schema of a kind, with a way through its references.
class Schemas {
 public:
  Schemas(Access& access, const client::Resource& resource) {
    const auto& kind = resource.kind;
    const std::string path = kind.group.empty() ? "api/" + kind.version : "apis/" + kind.group + "/" + kind.version;
    try {
      document_ = json::parse(
          access.client().raw({.target = "/openapi/v3/" + path, .headers = {{"Accept", "application/json"}}}).body,
          {.duplicates = json::Duplicates::last_wins});
      root_ = published(kind);
    } catch (const ApiError& error) {
      // Small servers, ours too, publish none; then it is the table of the built-in kinds, or the definition.
      if (!error.is_not_found()) throw;
      const reflect::Type* type = kube::find_kind(kind.group, kind.version, kind.kind);
      document_ = type == nullptr ? defined(access, resource) : reflect::schema(*type);
      root_ = document_;
    }
  }

  json::View root() const { return root_; }

  // What the schema means: references followed, a list's or map's items taken.
  json::View resolved(json::View schema) const {
    for (int depth = 0; depth < 16; ++depth) {
      const json::View reference = schema["$ref"].exists() ? schema["$ref"] : schema["allOf"][0]["$ref"];
      if (!reference.is_string()) return schema;
      const std::string_view text = reference.as_string();
      schema = document_["components"]["schemas"][text.substr(text.rfind('/') + 1)];
    }
    return schema;
  }
  json::View inside(json::View schema) const {
    schema = resolved(schema);
    while (schema["items"].exists() || schema["additionalProperties"].is_object()) {
      schema = resolved(schema["items"].exists() ? schema["items"] : schema["additionalProperties"]);
    }
    return schema;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as lists of lists
  std::string type_of(json::View schema) const {
    const json::View whole = resolved(schema);
    if (whole["items"].exists()) return "[]" + type_of(whole["items"]);
    if (whole["additionalProperties"].is_object()) return "map[string]" + type_of(whole["additionalProperties"]);
    if (whole["x-kubernetes-int-or-string"].exists()) return "integer or string";
    if (whole["properties"].exists()) return "Object";
    return std::string(whole["type"].string_or("Object"));
  }

 private:
  json::View published(const kube::GroupVersionKind& kind) const {
    for (const auto [name, schema] : document_["components"]["schemas"].entries()) {
      for (const json::View one : schema["x-kubernetes-group-version-kind"].items()) {
        const bool same = one["group"].string_or("") == kind.group && one["version"].string_or("") == kind.version;
        if (same && one["kind"].string_or("") == kind.kind) return schema;
      }
    }
    throw Error("the server publishes no schema of " + kind.to_string());
  }

  static json::Value defined(Access& access, const client::Resource& resource) {
    const json::Value definition = access.client()
                                       .dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"})
                                       .get({"", resource.plural + "." + resource.kind.group});
    for (const json::View version : definition["spec"]["versions"].items()) {
      if (version["name"].string_or("") == resource.kind.version) {
        return definition.slice(version["schema"]["openAPIV3Schema"]);
      }
    }
    throw Error("the definition of " + resource.kind.kind + " has no version " + resource.kind.version);
  }

  json::Value document_;
  json::View root_;
};

std::string description_of(const Schemas& schemas, json::View schema) {
  const auto own = schema["description"].string_or("");
  return std::string(own.empty() ? schemas.resolved(schema)["description"].string_or("") : own);
}

// What a value may be, beside its type.
std::string limits_of(json::View schema) {
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  for (const char* name :
       {"default", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format"}) {
    if (schema[name].exists()) add(std::string(name) + " " + json::write(schema[name], {.escape_html = false}));
  }
  std::string choices;
  for (const json::View one : schema["enum"].items()) choices += (choices.empty() ? "" : ", ") + json::write(one);
  if (!choices.empty()) add("one of " + choices);
  return text;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the schema, and no deeper than ten
void print_fields(const Schemas& schemas, json::View schema, std::size_t depth, bool recursive, std::ostream& out) {
  std::set<std::string_view> required;
  for (const json::View one : schema["required"].items()) required.insert(one.string_or(""));
  for (const auto [name, field] : schema["properties"].entries()) {
    const std::string lead(2 * depth + 2, ' ');
    out << lead << name << "   <" << schemas.type_of(field) << ">" << (required.contains(name) ? " -required-" : "")
        << "\n";
    if (recursive) {
      if (depth < 10) print_fields(schemas, schemas.inside(field), depth + 1, true, out);
      continue;
    }
    const std::string limits = limits_of(schemas.resolved(field));
    if (!limits.empty()) out << lead << "  " << limits << "\n";
    const std::string about = description_of(schemas, field);
    if (!about.empty()) out << indented(about, lead.size() + 2);
    out << "\n";
  }
}

int explain(const Given& given, Io& io) {
  Access access(given, io);
  std::string path = given.argument(0);
  // A group's name has dots too: first everything, then less and less, is tried as the kind.
  std::optional<client::Resource> resource;
  std::size_t end = path.size();
  while (!resource) {
    try {
      resource = access.client().mapper().resolve(path.substr(0, end), {});
    } catch (const ApiError& error) {
      const std::size_t dot = end == 0 ? std::string::npos : path.rfind('.', end - 1);
      if (!error.is_not_found() || dot == std::string::npos || dot == 0) {
        throw Error("the server has no kind \"" + path.substr(0, path.find('.')) + "\"");
      }
      end = dot;
    }
  }
  const Schemas schemas(access, *resource);
  json::View field = schemas.root();
  std::string walked;
  std::string rest = end == path.size() ? "" : path.substr(end + 1);
  while (!rest.empty()) {
    const std::string name = rest.substr(0, rest.find('.'));
    rest = name.size() == rest.size() ? "" : rest.substr(name.size() + 1);
    field = schemas.inside(field)["properties"][name];
    if (!field.exists())
      throw Error("field \"" + name + "\" does not exist in " + resource->kind.kind +
                  (walked.empty() ? "" : "." + walked));
    walked += (walked.empty() ? "" : ".") + name;
  }
  if (!resource->kind.group.empty()) io.out << "GROUP:      " << resource->kind.group << "\n";
  io.out << "KIND:       " << resource->kind.kind << "\nVERSION:    " << resource->kind.version << "\n\n";
  if (!walked.empty()) io.out << "FIELD: " << walked << " <" << schemas.type_of(field) << ">\n\n";
  const std::string about = description_of(schemas, field);
  const std::string limits = limits_of(schemas.resolved(field));
  io.out << "DESCRIPTION:\n" << indented(about.empty() ? "<empty>" : about, 4);
  if (!limits.empty()) io.out << indented(limits, 4);
  if (schemas.inside(field)["properties"].empty()) return kOk;
  io.out << "\nFIELDS:\n";
  print_fields(schemas, schemas.inside(field), 0, given.on("recursive"), io.out);
  return kOk;
}

}  // namespace

Command explain_command() {
  return {
      .name = "explain",
      .topic = Topic::objects,
      .summary = "the fields of a kind, and what they may be",
      .arguments = "KIND[.FIELD...]",
      .least_arguments = 1,
      .most_arguments = 1,
      .flags = with_access({{.name = "recursive", .help = "the names of all fields below, without what they are for"}}),
      .examples = {{"flyball explain memcached.spec", "what may stand in a custom resource"},
                   {"flyball explain deploy.spec.strategy --recursive", "names alone"}},
      .run = explain};
}

}  // namespace flyball::cli
