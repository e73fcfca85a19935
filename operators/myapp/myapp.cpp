// MyApp: an image, so many times. `kubectl get myapp` shows both, `kubectl scale myapp` works.
#include <flyball/flyball.hpp>
#include <flyball/kube/apps/v1.hpp>

using namespace flyball;
namespace apps = kube::apps::v1;

struct MyAppSpec {
  int32_t replicas = 1;
  std::string image;
};
FLYBALL_DESCRIBE(MyAppSpec, (replicas, "How many pods to run.", minimum(0)),
                 (image, "The image every pod runs.", min_length(1)))

struct MyAppStatus {
  int32_t replicas = 0;
  Conditions conditions;
};
FLYBALL_DESCRIBE(MyAppStatus, (replicas, "How many pods are ready."), (conditions, "Where the app stands."))

using MyApp = CustomResource<"example.com", "v1alpha1", "MyApp", MyAppSpec, MyAppStatus>;
FLYBALL_RESOURCE(MyApp, {.columns = {{"Replicas", "integer", ".spec.replicas"}, {"Image", "string", ".spec.image"}},
                         .scale = {{.specReplicasPath = ".spec.replicas", .statusReplicasPath = ".status.replicas"}}})

apps::Deployment deployment_for(const MyApp& app) {
  const Labels labels{{"app", app.metadata.name}};
  return {.metadata = {.name = app.metadata.name},
          .spec = {.replicas = app.spec.replicas,
                   .selector = {.matchLabels = labels},
                   .template_ = {.metadata = {.labels = labels},
                                 .spec = {.containers = {{.name = "myapp", .image = app.spec.image}}}}}};
}

void reconcile(Context& ctx, MyApp& app) {
  const auto deployment = ctx.apply(deployment_for(app));
  app.status.replicas = deployment.status.readyReplicas;
  app.status.conditions.set("Available", app.status.replicas >= app.spec.replicas, "PodsReady");
}

void setup(Operator& op) { op.reconcile<MyApp>(reconcile).owns<apps::Deployment>(); }

int main(int argc, char** argv) {
  Operator op("myapp-operator", "Runs applications as MyApp resources ask for them.");
  setup(op);
  return op.main(argc, argv);
}
