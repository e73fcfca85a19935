// WebApp: a web application with all it takes to reach it: a Deployment, a Service, and an Ingress for its domain.
#include <flyball/flyball.hpp>
#include <flyball/kube/apps/v1.hpp>
#include <flyball/kube/core/v1.hpp>
#include <flyball/kube/networking/v1.hpp>

using namespace flyball;
namespace apps = kube::apps::v1;
namespace core = kube::core::v1;
namespace networking = kube::networking::v1;

struct WebAppSpec {
  int32_t replicas = 1;
  std::string image;
  int32_t port = 80;
  std::string domain;
};
FLYBALL_DESCRIBE(WebAppSpec, (replicas, "How many pods to run.", minimum(0)),
                 (image, "The image every pod runs.", min_length(1)),
                 (port, "Where the pods listen.", minimum(1), maximum(65535)),
                 (domain, "The name people reach it by; without one there is no Ingress.", optional))

struct WebAppStatus {
  int32_t readyReplicas = 0;
  std::string url;
  Conditions conditions;
};
FLYBALL_DESCRIBE(WebAppStatus, (readyReplicas, "How many pods are ready."), (url, "Where people reach it.", optional),
                 (conditions, "Where the application stands."))

using WebApp = CustomResource<"apps.example.com", "v1alpha1", "WebApp", WebAppSpec, WebAppStatus>;
FLYBALL_RESOURCE(WebApp, {.columns = {{"Ready", "integer", ".status.readyReplicas"}, {"URL", "string", ".status.url"}}})

Labels labels_of(const WebApp& app) { return {{"app", app.metadata.name}}; }

apps::Deployment deployment_for(const WebApp& app) {
  return {
      .metadata = {.name = app.metadata.name},
      .spec = {.replicas = app.spec.replicas,
               .selector = {.matchLabels = labels_of(app)},
               .template_ = {.metadata = {.labels = labels_of(app)},
                             .spec = {.containers = {{.name = "web",
                                                      .image = app.spec.image,
                                                      .ports = {{.name = "http", .containerPort = app.spec.port}}}}}}}};
}

core::Service service_for(const WebApp& app) {
  return {.metadata = {.name = app.metadata.name},
          .spec = {.selector = labels_of(app), .ports = {{.name = "http", .port = 80, .targetPort = "http"}}}};
}

networking::Ingress ingress_for(const WebApp& app) {
  return {.metadata = {.name = app.metadata.name},
          .spec = {.rules = {{.host = app.spec.domain,
                              .http = {{.paths = {{.path = "/",
                                                   .pathType = "Prefix",
                                                   .backend = {.service = {{.name = app.metadata.name,
                                                                            .port = {.name = "http"}}}}}}}}}}}};
}

void reconcile(Context& ctx, WebApp& app) {
  const auto deployment = ctx.apply(deployment_for(app));
  ctx.apply(service_for(app));
  if (app.spec.domain.empty())
    ctx.delete_<networking::Ingress>(app.metadata.name);
  else
    ctx.apply(ingress_for(app));
  app.status.readyReplicas = deployment.status.readyReplicas;
  app.status.url = app.spec.domain.empty() ? "" : "http://" + app.spec.domain;
  app.status.conditions.set("Available", app.status.readyReplicas >= app.spec.replicas, "PodsReady");
}

void setup(Operator& op) {
  op.reconcile<WebApp>(reconcile).owns<apps::Deployment>().owns<core::Service>().owns<networking::Ingress>();
}

int main(int argc, char** argv) {
  Operator op("webapp-operator", "Runs web applications as WebApp resources ask for them.");
  setup(op);
  return op.main(argc, argv);
}
