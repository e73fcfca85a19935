#include "observe.hpp"

#include <algorithm>
#include <regex>
#include <utility>

#include "kinds.hpp"

#include "flyball/json/builder.hpp"
#include "flyball/json/write.hpp"

namespace flyball::scenarios {
namespace {

constexpr std::size_t kSuffix = 5;  // of generated names
constexpr std::string_view kSuffixLetters = "bcdfghjklmnpqrstvwxz2456789";
const std::set<std::string_view> kHiddenMetadata = {"name",          "namespace",        "uid", "resourceVersion",
                                                    "managedFields", "creationTimestamp"};
const std::set<std::string_view> kPodSpec = {"nodeName", "hostname", "subdomain"};
// The scenario's own doing.
const std::set<std::string_view> kHiddenPodStatus = {"podIP", "podIPs", "startTime", "qosClass", "containerStatuses"};
// Lists whose order nobody decides.
const std::set<std::string_view> kUnordered = {"endpoints", "addresses", "notReadyAddresses", "ownerReferences",
                                               "subsets",   "ports",     "finalizers"};
const std::set<std::string_view> kWorkloads = {"Deployment", "ReplicaSet", "StatefulSet", "Job", "DaemonSet"};

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

bool is_generated_end(std::string_view text) {
  if (text.size() < kSuffix) return false;
  const std::string_view end = text.substr(0, kSuffix);
  if (!std::ranges::all_of(end, [](char c) { return kSuffixLetters.find(c) != std::string_view::npos; })) return false;
  return text.size() == kSuffix || std::isalnum(static_cast<unsigned char>(text[kSuffix])) == 0;
}

std::string replace_generated(std::string text, const std::string& stem) {
  for (std::size_t at = 0; (at = text.find(stem, at)) != std::string::npos; at += stem.size()) {
    const std::string_view rest = std::string_view(text).substr(at + stem.size());
    if (is_generated_end(rest)) text.replace(at + stem.size(), kSuffix, "<any>");
  }
  return text;
}

std::int64_t revision_of(json::View object) {
  if (object["revision"].is_int()) return object["revision"].as_int();
  const auto text = object["metadata"]["annotations"]["deployment.kubernetes.io/revision"].string_or("0");
  return std::stoll(std::string(text));
}

}  // namespace

// A custom kind is there once its definition is.
bool Observer::is_served(const kube::GroupVersionKind& kind) {
  return std::ranges::any_of(client_.mapper().all({}),
                             [&](const client::ServedResource& served) { return served.resource.kind == kind; });
}

std::vector<json::Value> Observer::objects(const std::string& kind) {
  if (!is_served(kind_of(kind))) return {};
  const auto all = client_.dynamic(kind_of(kind));
  const bool spaced = all.resource().namespaced;
  std::vector<json::Value> found;
  for (const json::Value& object : all.list({.namespace_ = spaced ? space_ : ""})) {
    if (spaced || object["metadata"]["name"].string_or("").starts_with(space_)) found.push_back(object);
  }
  return found;
}

void Observer::learn() {
  for (const std::string& kind : kinds_) learn(objects(kind));
}

std::string Observer::fingerprint() {
  std::string text;
  std::vector<std::string> kinds = kinds_;
  for (const std::string& kind : kinds) {
    for (const json::Value& object : objects(kind)) {
      text += kind + " " + std::string(object["metadata"]["name"].string_or("")) + " " +
              std::string(object["metadata"]["resourceVersion"].string_or("")) + "\n";
    }
  }
  for (const json::Value& event : client_.dynamic({"", "v1", "Event"}).list({.namespace_ = space_})) {
    text += "Event " + std::string(event["message"].string_or("")) + "\n";
  }
  return text;
}

void Observer::learn_revision(json::View object, std::string_view label) {
  const std::string hash(object["metadata"]["labels"][label].string_or(""));
  if (hash.empty() || hashes_.contains(hash)) return;
  hashes_[hash] = "<hash" + std::to_string(hashes_.size() + 1) + ">";
}

void Observer::learn(const std::vector<json::Value>& objects) {
  std::vector<json::View> by_revision(objects.begin(), objects.end());
  std::ranges::sort(by_revision, {}, [](json::View object) {
    return std::pair(revision_of(object), object["metadata"]["name"].string_or(""));
  });
  for (const json::View object : by_revision) {
    learn_revision(object, "pod-template-hash");
    learn_revision(object, "controller.kubernetes.io/hash");
    const json::View metadata = object["metadata"];
    if (const auto stem = metadata["generateName"].string_or(""); !stem.empty()) {
      stems_.insert(normalized(stem));
    } else if (kWorkloads.contains(object["kind"].string_or(""))) {
      stems_.insert(normalized(std::string(metadata["name"].string_or("")) + "-"));
    }
  }
}

std::string Observer::normalized(std::string_view text) const {
  static const std::regex uid("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  static const std::regex time(R"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z)");
  std::string result = replace_all(std::string(text), space_, "<ns>");
  for (const auto& [hash, symbol] : hashes_) result = replace_all(std::move(result), hash, symbol);
  for (const std::string& stem : stems_) result = replace_generated(std::move(result), stem);
  result = std::regex_replace(result, uid, "<uid>");
  return std::regex_replace(result, time, "<time>");
}

std::string Observer::text_of(std::string_view key, json::View value) const {
  if (key == "clusterIP" && value.string_or("") != "None") return "<ip>";
  if (key == "nodePort") return "<port>";
  if (value.string_or("").starts_with("-----BEGIN CERTIFICATE")) return "<certificate>";
  if (value.is_string()) {
    std::string text;
    json::write_string(normalized(value.as_string()), text, false);
    return text;
  }
  std::vector<std::string> parts;
  if (value.is_array()) {
    const std::string_view element = key == "clusterIPs" ? "clusterIP" : "";
    for (const json::View item : value.items()) parts.push_back(text_of(element, item));
    if (kUnordered.contains(key)) std::ranges::sort(parts);
  } else if (value.is_object()) {
    for (const auto [name, member] : value.entries()) {
      if (name == "uid" || name == "resourceVersion") continue;
      parts.push_back(normalized(name) + ": " + text_of(name, member));
    }
    std::ranges::sort(parts);
  } else {
    return json::write(value);
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return value.is_array() ? "[" + text + "]" : "{" + text + "}";
}

void Observer::section(std::string_view name, json::View value, std::vector<std::string>& lines, bool of_pod) const {
  if (!value.is_object()) {
    lines.push_back(std::string(name) + ": " + text_of(name, value));
    return;
  }
  for (const auto [key, member] : value.entries()) {
    if (name == "metadata" && kHiddenMetadata.contains(key)) continue;
    if (of_pod && name == "status" && kHiddenPodStatus.contains(key)) continue;
    if (key == "conditions" && member.is_array()) {
      for (const json::View condition : member.items()) {
        if (condition["type"].string_or("") == "ContainersReady") continue;
        json::Builder rest;
        rest.begin_object();
        for (const auto [field, part] : condition.entries()) {
          if (field != "type" && !field.ends_with("Time") && !part.is_null()) rest.key(field).value(part);
        }
        const json::Value shown = rest.end().finish();
        lines.push_back(std::string(name) + ".conditions." + std::string(condition["type"].string_or("")) + ": " +
                        text_of("", shown));
      }
      continue;
    }
    lines.push_back(std::string(name) + "." + normalized(key) + ": " + text_of(key, member));
  }
}

std::vector<std::string> Observer::lines_of(json::View object) const {
  const std::string_view kind = object["kind"].string_or("");
  std::vector<std::string> lines;
  for (const auto [key, member] : object.entries()) {
    if (key == "apiVersion" || key == "kind") continue;
    if (key == "spec" && (kind == "Pod" || kWorkloads.contains(kind))) {
      json::Builder spec;
      spec.begin_object();
      for (const auto [name, part] : member.entries()) {
        if (kind == "Pod" ? kPodSpec.contains(name) : name != "template" && name != "volumeClaimTemplates") {
          spec.key(name).value(part);
        }
      }
      const json::Value shown = spec.end().finish();
      section(key, shown, lines, kind == "Pod");
    } else if (kind != "ControllerRevision" || key != "data") {
      section(key, member, lines, kind == "Pod");
    }
  }
  std::ranges::sort(lines);
  return lines;
}

void Observer::events(std::vector<std::string>& lines) {
  std::set<std::string> fresh;
  for (const json::Value& event : client_.dynamic({"", "v1", "Event"}).list({.namespace_ = space_})) {
    const json::View about = event["involvedObject"];
    std::string text = "Event ";
    text.append(about["kind"].string_or("")).append(" ").append(normalized(about["name"].string_or("")));
    text.append(": ").append(event["type"].string_or("")).append(" ").append(event["reason"].string_or(""));
    text.append(": ").append(normalized(event["message"].string_or("")));
    if (events_.insert(text).second) fresh.insert(text);
  }
  lines.insert(lines.end(), fresh.begin(), fresh.end());
}

Checkpoint Observer::look(const std::string& name) {
  std::vector<std::vector<json::Value>> seen;
  for (const std::string& kind : kinds_) {
    seen.push_back(objects(kind));
    learn(seen.back());
  }
  Checkpoint checkpoint{.name = name};
  for (const auto& all : seen) {
    std::map<std::vector<std::string>, int> groups;
    for (const json::Value& object : all) {
      std::vector<std::string> lines{std::string(object["kind"].string_or("")) + " " +
                                     normalized(object["metadata"]["name"].string_or(""))};
      for (const std::string& line : lines_of(object)) lines.push_back(lines[0] + ": " + line);
      ++groups[std::move(lines)];
    }
    for (const auto& [lines, count] : groups) {
      checkpoint.lines.push_back(lines[0] + (count == 1 ? "" : " (" + std::to_string(count) + " times)"));
      checkpoint.lines.insert(checkpoint.lines.end(), lines.begin() + 1, lines.end());
    }
  }
  events(checkpoint.lines);
  return checkpoint;
}

}  // namespace flyball::scenarios
