#include "cli/manifest_files.hpp"

#include <map>
#include <set>

#include "flyball/json/yaml.hpp"

namespace flyball::cli {
namespace {

using json::array;
using json::object;
using json::Value;

std::string text_of(json::View view) { return std::string(view.string_or("")); }
std::string kind_of(const Value& document) { return text_of(document["kind"]); }
std::string name_of(const Value& document) { return text_of(document["metadata"]["name"]); }

// ServiceAccount → service_account
std::string snake(const std::string& kind) {
  std::string out;
  for (const char c : kind) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !out.empty()) out += '_';
    out += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// Which folder of config/ a document belongs to.
std::string folder_of(const std::string& kind) {
  static const std::map<std::string, std::string> folders = {
      {"CustomResourceDefinition", "crd"}, {"Namespace", "manager"},
      {"Deployment", "manager"},           {"Service", "metrics"},
      {"ServiceMonitor", "prometheus"},    {"NetworkPolicy", "network-policy"}};
  const auto found = folders.find(kind);
  return found == folders.end() ? "rbac" : found->second;
}

// cache.example.com_memcacheds.yaml for a definition; else by kind, with the namespace where one kind comes often.
std::string file_of(const Value& document, bool several) {
  if (kind_of(document) == "CustomResourceDefinition") {
    return text_of(document["spec"]["group"]) + "_" + text_of(document["spec"]["names"]["plural"]) + ".yaml";
  }
  const std::string where = text_of(document["metadata"]["namespace"]);
  return snake(kind_of(document)) + (several ? "_" + (where.empty() ? name_of(document) : where) : "") + ".yaml";
}

const Value& deployment_of(const std::vector<Value>& documents) {
  for (const Value& document : documents) {
    if (kind_of(document) == "Deployment") return document;
  }
  throw Error("the operator's manifests have no Deployment");
}

// The port of that name, as the Deployment has it: written once, used everywhere.
std::int64_t port_of(const Value& deployment, std::string_view name) {
  for (const json::View port : deployment["spec"]["template"]["spec"]["containers"][0]["ports"].items()) {
    if (port["name"].string_or("") == name) return port["containerPort"].as_int();
  }
  throw Error("the operator's Deployment has no port " + std::string(name));
}

Value metadata_of(const Value& deployment, const char* suffix) {
  return object({{"name", name_of(deployment) + suffix},
                 {"namespace", text_of(deployment["metadata"]["namespace"])},
                 {"labels", Value(deployment["metadata"]["labels"])}});
}

Value service_of(const Value& deployment) {
  const Value port = object({{"name", "metrics"}, {"port", port_of(deployment, "metrics")}, {"targetPort", "metrics"}});
  return object({{"apiVersion", "v1"},
                 {"kind", "Service"},
                 {"metadata", metadata_of(deployment, "-metrics")},
                 {"spec", object({{"selector", Value(deployment["spec"]["selector"]["matchLabels"])},
                                  {"ports", array({port})}})}});
}

Value service_monitor_of(const Value& deployment) {
  return object({{"apiVersion", "monitoring.coreos.com/v1"},
                 {"kind", "ServiceMonitor"},
                 {"metadata", metadata_of(deployment, "-metrics")},
                 {"spec", object({{"selector", Value(deployment["spec"]["selector"])},
                                  {"endpoints", array({object({{"port", "metrics"}, {"path", "/metrics"}})})}})}});
}

// Metrics are for namespaces with the label metrics=enabled; probes come from the kubelet, which no policy stops.
Value network_policy_of(const Value& deployment) {
  const Value from = object({{"namespaceSelector", object({{"matchLabels", object({{"metrics", "enabled"}})}})}});
  const Value port = object({{"port", port_of(deployment, "metrics")}, {"protocol", "TCP"}});
  return object(
      {{"apiVersion", "networking.k8s.io/v1"},
       {"kind", "NetworkPolicy"},
       {"metadata", metadata_of(deployment, "-metrics")},
       {"spec", object({{"podSelector", Value(deployment["spec"]["selector"])},
                        {"policyTypes", array({"Ingress"})},
                        {"ingress", array({object({{"from", array({from})}, {"ports", array({port})}})})}})}});
}

std::string kustomization(const std::set<std::string>& resources) {
  std::string text(kMadeBy);
  text += "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n";
  for (const std::string& resource : resources) text += "- " + resource + "\n";
  return resources.empty() ? text.substr(0, text.find("resources:")) + "resources: []\n" : text;
}

bool is_on(const Project& project, const Value& document) {
  const std::string kind = kind_of(document);
  if (kind == "ServiceMonitor") return project.has_feature("service-monitor");
  if (kind == "NetworkPolicy") return project.has_feature("network-policy");
  return true;
}

void add_samples(const Project& project, Files& files) {
  std::set<std::string> samples;
  for (const Api& api : project.apis) {
    if (api.own()) samples.insert(project.sample_path(api).substr(std::string("config/samples/").size()));
  }
  if (!samples.empty()) files["config/samples/kustomization.yaml"] = kustomization(samples);
}

}  // namespace

Files manifest_files(const Project& project, const std::vector<Value>& documents) {
  const Value& deployment = deployment_of(documents);
  const std::vector<Value> extras{service_of(deployment), network_policy_of(deployment),
                                  service_monitor_of(deployment)};
  std::vector<Value> all = documents;
  all.insert(all.end(), extras.begin(), extras.end());

  Files files = chart_files(project, documents, extras);
  std::map<std::string, int> count;
  for (const Value& document : all) ++count[kind_of(document)];
  std::map<std::string, std::set<std::string>> resources;
  std::set<std::string> folders;
  std::string install(kMadeBy);
  for (const Value& document : all) {
    const std::string folder = folder_of(kind_of(document));
    const std::string file = file_of(document, count[kind_of(document)] > 1);
    std::string path = "config/";
    path.append(folder).append("/").append(file);
    files[path] = std::string(kMadeBy) + json::write_yaml(document);
    resources[folder].insert(file);
    if (!is_on(project, document)) continue;
    folders.insert("../" + folder);
    install += "---\n" + json::write_yaml(document);
  }
  for (const auto& [folder, names] : resources)
    files["config/" + folder + "/kustomization.yaml"] = kustomization(names);
  files["config/default/kustomization.yaml"] = kustomization(folders);
  files["dist/install.yaml"] = install;
  add_samples(project, files);
  return files;
}

}  // namespace flyball::cli
