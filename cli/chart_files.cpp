// The Helm chart of an operator: its manifests, with the few holes that people ask for.
#include "cli/manifest_files.hpp"
#include "cli/template.hpp"

#include "flyball/json/draft.hpp"
#include "flyball/json/yaml.hpp"

namespace flyball::cli {
namespace {

using json::Value;

constexpr std::string_view kTemplates = "dist/chart/templates/";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// What Helm would take for its own is written so that it prints itself.
std::string literal(const std::string& yaml) { return replaced(yaml, "{{", "{{ \"{{\" }}"); }

// Where the operator runs is the release's to say, in metadata and in the subjects of bindings.
std::string in_release(const std::string& yaml, const Project& project) {
  return replaced(yaml, "namespace: " + project.system_namespace() + "\n", "namespace: {{ .Release.Namespace }}\n");
}

std::string deployment_template(const Project& project, const Value& document) {
  json::Draft draft(document);
  draft.set("/spec/replicas", "FLYBALL-REPLICAS");
  draft.set("/spec/template/spec/containers/0/image", "FLYBALL-IMAGE");
  draft.set("/spec/template/spec/containers/0/resources", "FLYBALL-RESOURCES");
  std::string yaml = in_release(literal(json::write_yaml(draft.build())), project);
  yaml = replaced(yaml, "FLYBALL-REPLICAS", "{{ .Values.replicas }}");
  yaml = replaced(yaml, "FLYBALL-IMAGE", "{{ .Values.image | quote }}");
  return replaced(yaml, "FLYBALL-RESOURCES", "{{ toJson .Values.resources }}");
}

std::string when(const std::string& value, const std::string& yaml) {
  return "{{- if .Values." + value + " }}\n" + yaml + "{{- end }}\n";
}

std::string values_file(const Value& deployment) {
  const json::View container = deployment["spec"]["template"]["spec"]["containers"][0];
  std::string text = "# Yours: `flyball manifests` made this file once and leaves it alone.\n";
  text += "image: " + std::string(container["image"].string_or("")) + "\nreplicas: 1\n";
  text += json::write_yaml(json::object({{"resources", Value(container["resources"])}}));
  return text +
         "# The definitions of the kinds. Without them somebody else installs them.\ncrds: true\n"
         "# Needs the Prometheus operator.\nserviceMonitor: false\n"
         "# Metrics only for namespaces with the label metrics=enabled.\nnetworkPolicy: false\n";
}

}  // namespace

Files chart_files(const Project& project, const std::vector<Value>& documents, const std::vector<Value>& extras) {
  Files files;
  const std::string folder(kTemplates);
  std::string definitions;
  std::string roles;
  for (const Value& document : documents) {
    const auto kind = document["kind"].string_or("");
    const std::string yaml = "---\n" + in_release(literal(json::write_yaml(document)), project);
    if (kind == "CustomResourceDefinition") {
      definitions += yaml;
    } else if (kind == "Deployment") {
      files[folder + "deployment.yaml"] = std::string(kMadeBy) + deployment_template(project, document);
      files["dist/chart/values.yaml"] = values_file(document);
    } else if (kind != "Namespace") {  // Helm makes it: --create-namespace
      roles += yaml;
    }
  }
  files[folder + "crds.yaml"] = std::string(kMadeBy) + when("crds", definitions);
  files[folder + "rbac.yaml"] = std::string(kMadeBy) + roles;
  for (const Value& document : extras) {
    const auto kind = document["kind"].string_or("");
    const std::string yaml = in_release(literal(json::write_yaml(document)), project);
    if (kind == "Service") files[folder + "metrics_service.yaml"] = std::string(kMadeBy) + yaml;
    if (kind == "ServiceMonitor")
      files[folder + "service_monitor.yaml"] = std::string(kMadeBy) + when("serviceMonitor", yaml);
    if (kind == "NetworkPolicy")
      files[folder + "network_policy.yaml"] = std::string(kMadeBy) + when("networkPolicy", yaml);
  }
  files["dist/chart/Chart.yaml"] = fill("Chart.yaml.in", {{"name", project.name}});
  return files;
}

}  // namespace flyball::cli
