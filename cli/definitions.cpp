#include "cli/definitions.hpp"

#include <ostream>

#include "cli/patience.hpp"

#include "flyball/base/api_error.hpp"
#include "flyball/kube/apiextensions/v1.hpp"

namespace flyball::cli {
namespace {

using json::Value;
using Definition = kube::apiextensions::v1::CustomResourceDefinition;

std::string text_of(json::View view) { return std::string(view.string_or("")); }
std::string name_of(const Value& definition) { return text_of(definition["metadata"]["name"]); }

// The objects of a definition, in the version that is stored.
client::Objects<Value> objects_of(const client::Client& client, const Value& definition) {
  const json::View spec = definition["spec"];
  client::Resource resource{.kind = {text_of(spec["group"]), "", text_of(spec["names"]["kind"])},
                            .plural = text_of(spec["names"]["plural"])};
  resource.namespaced = text_of(spec["scope"]) == "Namespaced";
  for (const json::View version : spec["versions"].items()) {
    if (version["storage"].exists() && version["storage"].as_bool()) resource.kind.version = text_of(version["name"]);
  }
  return client.dynamic_at(resource);
}

std::vector<Value> list_objects(const client::Client& client, const Value& definition) {
  std::vector<Value> all;
  if (!client.find<Definition>({"", name_of(definition)})) return all;
  for (const Value& object : objects_of(client, definition).list()) all.push_back(object);
  return all;
}

// "default/sample"
std::string where(const Value& object) {
  const std::string space = text_of(object["metadata"]["namespace"]);
  return (space.empty() ? "" : space + "/") + text_of(object["metadata"]["name"]);
}

// What is left and why: every object with the finalizers that hold it.
std::string held(const std::vector<Value>& objects) {
  std::string text;
  for (const Value& object : objects) {
    std::string finalizers;
    for (const json::View finalizer : object["metadata"]["finalizers"].items()) {
      finalizers += (finalizers.empty() ? "" : ", ") + text_of(finalizer);
    }
    text += (text.empty() ? "" : "; ") + where(object) + " waits for " +
            (finalizers.empty() ? "its end" : "the finalizer " + finalizers);
  }
  return text;
}

void release(const client::Objects<Value>& of, const Value& object, std::ostream& out) {
  const Value nothing = json::object({{"metadata", json::object({{"finalizers", nullptr}})}});
  try {
    of.patch(client::key_of(object), client::Patch::merge(nothing));
    out << "  finalizers of " << where(object) << " taken away\n";
  } catch (const ApiError& error) {
    if (!error.is_not_found()) throw;
  }
}

void delete_objects(const client::Client& client, Clock& clock, const Value& definition,
                    const UninstallOptions& options, std::ostream& out) {
  std::vector<Value> left = list_objects(client, definition);
  if (left.empty()) return;
  const auto of = objects_of(client, definition);
  for (const Value& object : left) {
    of.delete_(client::key_of(object), {.missing_is_fine = true});
    out << "  " << name_of(definition) << " " << where(object) << " deleted" << std::endl;
  }
  const auto all_gone = [&] {
    left = list_objects(client, definition);
    return left.empty();
  };
  // Whoever serves a finalizer gets a moment, also before force is used.
  constexpr Duration kMoment = std::chrono::seconds(3);
  if (wait_until(clock, options.force ? std::min(kMoment, options.patience) : options.patience, all_gone)) return;
  if (!options.force) {
    throw Error(held(left) +
                ". Nobody has done that: let the operator run meanwhile (flyball run), or take the finalizers away "
                "with --force");
  }
  for (const Value& object : left) release(of, object, out);
  if (!wait_until(clock, options.patience, all_gone)) throw Error(held(left));
}

}  // namespace

void install_definitions(const client::Client& client, Clock& clock, const std::vector<Value>& definitions,
                         std::ostream& out) {
  const auto of = client.dynamic_at(client::resource_of<Definition>());
  for (const Value& definition : definitions) {
    of.apply(definition, {.force = true});
    const auto served = [&] {
      const auto stored = client.get<Definition>({"", name_of(definition)});
      for (const auto& condition : stored.status.conditions) {
        if (condition.type == "NamesAccepted" && condition.status == "False") {
          throw Error(name_of(definition) + " is refused: " + condition.message);
        }
        if (condition.type == "Established" && condition.status == "True") return true;
      }
      return false;
    };
    if (!wait_until(clock, std::chrono::seconds(30), served)) {
      throw Error(
          name_of(definition) +
          " was stored, and the server does not serve it after 30 s; look at its conditions: kubectl describe crd " +
          name_of(definition));
    }
    out << "  " << name_of(definition) << " installed" << std::endl;
  }
  client.mapper().forget();
}

std::size_t count_objects(const client::Client& client, const std::vector<Value>& definitions) {
  std::size_t count = 0;
  for (const Value& definition : definitions) count += list_objects(client, definition).size();
  return count;
}

void uninstall_definitions(const client::Client& client, Clock& clock, const std::vector<Value>& definitions,
                           const UninstallOptions& options, std::ostream& out) {
  for (const Value& definition : definitions) {
    const std::string name = name_of(definition);
    if (!client.find<Definition>({"", name})) {
      out << "  " << name << " is not there" << std::endl;
      continue;
    }
    delete_objects(client, clock, definition, options, out);
    client.delete_<Definition>({"", name}, {.missing_is_fine = true});
    const bool gone = wait_until(clock, options.patience, [&] { return !client.find<Definition>({"", name}); });
    if (!gone) throw Error(name + " is deleted and still there; objects of it may have come meanwhile: run it again");
    out << "  " << name << " uninstalled" << std::endl;
  }
}

}  // namespace flyball::cli
