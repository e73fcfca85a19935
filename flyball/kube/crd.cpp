#include "flyball/kube/crd.hpp"

#include <algorithm>

#include "flyball/json/builder.hpp"
#include "flyball/kube/detail/crd_check.hpp"

namespace flyball::kube {

namespace {

const reflect::Field& field(const reflect::Type& type, std::string_view name) {
  return *std::ranges::find(type.fields, name, &reflect::Field::name);
}

}  // namespace

json::Value detail::schema_of(const CrdVersion& version) {
  json::Builder b;
  b.begin_object();
  b.key("type").string("object");
  b.key("properties").begin_object();
  b.key("apiVersion").begin_object().key("type").string("string").end();
  b.key("kind").begin_object().key("type").string("string").end();
  b.key("metadata").begin_object().key("type").string("object").end();
  b.key("spec").value(reflect::schema(field(version.type, "spec").type()));
  if (version.has_status)
    b.key("status").value(reflect::schema(field(version.type, "status").type(), {.status = true}));
  b.end();
  b.key("required").begin_array().string("spec").end();
  return b.end().finish();
}

namespace {

void strings(json::Builder& b, std::string_view key, const Few<std::string_view>& texts) {
  if (texts.empty()) return;
  b.key(key).begin_array();
  for (const std::string_view text : texts) b.string(text);
  b.end();
}

void text(json::Builder& b, std::string_view key, std::string_view value) {
  if (!value.empty()) b.key(key).string(value);
}

void names_and_values(json::Builder& b, std::string_view key, const Few<NameAndValue>& all) {
  if (all.empty()) return;
  b.key(key).begin_object();
  for (const NameAndValue& one : all) b.key(one.name).string(one.value);
  b.end();
}

void column(json::Builder& b, const PrinterColumn& column) {
  b.begin_object();
  b.key("name").string(column.name);
  b.key("type").string(column.type);
  b.key("jsonPath").string(column.jsonPath);
  text(b, "description", column.description);
  text(b, "format", column.format);
  if (column.priority != 0) b.key("priority").integer(column.priority);
  b.end();
}

void columns(json::Builder& b, const Few<PrinterColumn>& all) {
  if (all.empty()) return;
  b.key("additionalPrinterColumns").begin_array();
  for (const PrinterColumn& one : all) column(b, one);
  if (std::ranges::find(all, "Age", &PrinterColumn::name) == all.end()) {
    column(b, {.name = "Age", .type = "date", .jsonPath = ".metadata.creationTimestamp"});
  }
  b.end();
}

void subresources(json::Builder& b, const CrdVersion& version) {
  const auto& scale = version.options.scale;
  if (!version.has_status && !scale) return;
  b.key("subresources").begin_object();
  if (version.has_status) b.key("status").begin_object().end();
  if (scale) {
    b.key("scale").begin_object();
    b.key("specReplicasPath").string(scale->specReplicasPath);
    b.key("statusReplicasPath").string(scale->statusReplicasPath);
    text(b, "labelSelectorPath", scale->labelSelectorPath);
    b.end();
  }
  b.end();
}

void version_entry(json::Builder& b, const CrdVersion& version, bool storage) {
  const ResourceOptions& options = version.options;
  b.begin_object();
  b.key("name").string(version.type.kind->version);
  b.key("served").boolean(options.served);
  b.key("storage").boolean(storage);
  if (options.deprecated) b.key("deprecated").boolean(true);
  text(b, "deprecationWarning", options.deprecationWarning);
  b.key("schema").begin_object().key("openAPIV3Schema").value(detail::schema_of(version)).end();
  subresources(b, version);
  columns(b, options.columns);
  if (!options.selectableFields.empty()) {
    b.key("selectableFields").begin_array();
    for (const std::string_view path : options.selectableFields) b.begin_object().key("jsonPath").string(path).end();
    b.end();
  }
  b.end();
}

void conversion(json::Builder& b, const ConversionWebhook& webhook) {
  b.key("conversion").begin_object();
  b.key("strategy").string("Webhook");
  b.key("webhook").begin_object();
  b.key("clientConfig").begin_object();
  text(b, "url", webhook.url);
  if (!webhook.serviceName.empty()) {
    b.key("service").begin_object();
    b.key("namespace").string(webhook.serviceNamespace);
    b.key("name").string(webhook.serviceName);
    text(b, "path", webhook.path);
    b.key("port").integer(webhook.port);
    b.end();
  }
  text(b, "caBundle", webhook.caBundle);
  b.end();
  strings(b, "conversionReviewVersions", webhook.reviewVersions);
  b.end().end();
}

}  // namespace

json::Value crd(const std::vector<CrdVersion>& versions) {
  detail::check_crd(versions);
  const reflect::KindInfo& kind = *versions.front().type.kind;
  const ResourceOptions& options = versions.front().options;
  const std::string plural = std::string(options.plural.empty() ? kind.plural : options.plural);

  json::Builder b;
  b.begin_object();
  b.key("apiVersion").string("apiextensions.k8s.io/v1");
  b.key("kind").string("CustomResourceDefinition");
  b.key("metadata").begin_object();
  b.key("name").string(plural + "." + std::string(kind.group));
  names_and_values(b, "labels", options.labels);
  names_and_values(b, "annotations", options.annotations);
  b.end();
  b.key("spec").begin_object();
  b.key("group").string(kind.group);
  b.key("names").begin_object();
  b.key("kind").string(kind.kind);
  b.key("listKind").string(kind.list_kind);
  b.key("plural").string(plural);
  b.key("singular").string(options.singular.empty() ? kind.singular : options.singular);
  strings(b, "shortNames", options.shortNames);
  strings(b, "categories", options.categories);
  b.end();
  b.key("scope").string(options.clusterScoped ? "Cluster" : "Namespaced");
  if (options.conversion) conversion(b, *options.conversion);
  b.key("versions").begin_array();
  for (const CrdVersion& version : versions) version_entry(b, version, &version == &versions.front());
  b.end();
  b.end();
  return b.end().finish();
}

}  // namespace flyball::kube
