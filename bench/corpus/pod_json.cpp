// A Pod as a server shows it, field by field.
#include "corpus/pods.hpp"
#include "corpus/text.hpp"

namespace bench {
namespace {

// `each(item)` with commas between.
template <class Items, class Each>
void list(std::string& to, const Items& items, const Each& each) {
  bool first = true;
  for (const auto& item : items) {
    if (!first) to += ',';
    first = false;
    each(item);
  }
}

void add_metadata(std::string& to, const Workload& of, const PodSelf& self, const ObjectState& state) {
  add(to, R"("metadata":{"name":")", self.name, R"(","generateName":")", of.owner(), R"(-","namespace":")",
      of.namespace_, R"(","uid":")", self.uid, R"(","resourceVersion":")", state.version,
      R"(","generation":1,"creationTimestamp":")", moment(self.created), "\"");
  add(to, R"(,"labels":{"app.kubernetes.io/instance":")", of.app, R"(","app.kubernetes.io/name":")", of.app,
      R"(","app.kubernetes.io/part-of":")", of.part_of, R"(","app.kubernetes.io/version":")", of.version, "\",");
  add(to, of.kind == Workload::Kind::deployment ? R"("pod-template-hash":")" : R"("controller-revision-hash":")",
      of.hash, R"("},"annotations":{"checksum/config":")", of.checksum, "\",", stamp_annotation(),
      R"("kubectl.kubernetes.io/restartedAt":"2026-02-03T04:05:06Z","prometheus.io/scrape":"true"})");
  add(to, R"(,"ownerReferences":[{"apiVersion":"apps/v1","kind":")",
      of.kind == Workload::Kind::deployment ? "ReplicaSet" : "DaemonSet", R"(","name":")", of.owner(), R"(","uid":")",
      of.uid, R"(","controller":true,"blockOwnerDeletion":true}],"managedFields":)", managed_fields(of, self, state),
      "}");
}

void add_probe(std::string& to, std::string_view which, std::string_view path, std::uint64_t port) {
  add(to, ",\"", which, R"(":{"httpGet":{"path":")", path, R"(","port":)", port,
      R"(,"scheme":"HTTP"},"initialDelaySeconds":5,"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,)",
      R"("failureThreshold":3})");
}

void add_container(std::string& to, const ContainerPlan& plan, const PodSelf& self) {
  add(to, R"({"name":")", plan.name, R"(","image":")", plan.image, ":", plan.tag, R"(","args":[)");
  list(to, plan.arguments, [&](const std::string& argument) { add(to, "\"", argument, "\""); });
  add(to, R"(],"ports":[{"name":"http","containerPort":)", plan.port, R"(,"protocol":"TCP"}],"env":[)",
      R"({"name":"POD_NAME","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}},)");
  list(to, plan.env,
       [&](const auto& entry) { add(to, R"({"name":")", entry.first, R"(","value":")", entry.second, "\"}"); });
  add(to, R"(],"resources":{"limits":{"cpu":")", plan.cpu, R"(","memory":")", plan.memory,
      R"("},"requests":{"cpu":"100m","memory":")", plan.memory, R"("}},"volumeMounts":[{"name":"config",)",
      R"("readOnly":true,"mountPath":"/etc/)", plan.name, R"("},{"name":")", self.token_volume,
      R"(","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}])");
  add_probe(to, "livenessProbe", "/healthz", plan.port);
  add_probe(to, "readinessProbe", "/readyz", plan.port);
  add(to, R"(,"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",)",
      R"("imagePullPolicy":"IfNotPresent","securityContext":{"capabilities":{"drop":["ALL"]},)",
      R"("runAsNonRoot":true,"readOnlyRootFilesystem":true,"allowPrivilegeEscalation":false}})");
}

void add_spec(std::string& to, const Workload& of, const PodSelf& self) {
  add(to, R"("spec":{"volumes":[{"name":"config","configMap":{"name":")", of.app,
      R"(-config","defaultMode":420}},{"name":")", self.token_volume,
      R"(","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},)",
      R"({"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},)",
      R"({"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1",)",
      R"("fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[)");
  list(to, of.containers, [&](const ContainerPlan& plan) { add_container(to, plan, self); });
  add(to, R"(],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",)",
      R"("serviceAccountName":")", of.app, R"(","serviceAccount":")", of.app, R"(","nodeName":")", self.node,
      R"(","securityContext":{"runAsUser":65532,"runAsNonRoot":true,"fsGroup":65532},"schedulerName":)",
      R"("default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists",)",
      R"("effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable",)",
      R"("operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,)",
      R"("enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"})");
}

void add_status(std::string& to, const Workload& of, const PodSelf& self, const ObjectState& state) {
  constexpr std::string_view kConditions[] = {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady",
                                              "PodScheduled"};
  const std::uint64_t ready = self.created + 4 + self.created % 17 + std::uint64_t{state.generation} * 600;
  add(to, R"("status":{"observedGeneration":1,"phase":"Running","conditions":[)");
  std::size_t number = 0;
  list(to, kConditions, [&](std::string_view type) {
    // Two of them change with the containers.
    const bool changes = number == 2 || number == 3;
    ++number;
    add(to, R"({"type":")", type, R"(","observedGeneration":1,"status":"True","lastProbeTime":null,)",
        R"("lastTransitionTime":")", moment(changes ? ready : self.created + number % 3), "\"}");
  });
  add(to, R"(],"hostIP":")", self.host_ip, R"(","hostIPs":[{"ip":")", self.host_ip, R"("}],"podIP":")", self.pod_ip,
      R"(","podIPs":[{"ip":")", self.pod_ip, R"("}],"startTime":")", moment(self.created),
      R"(","containerStatuses":[)");
  number = 0;
  list(to, of.containers, [&](const ContainerPlan& plan) {
    const std::string& id = self.container_ids[number];
    add(to, R"({"name":")", plan.name, R"(","state":{"running":{"startedAt":")",
        moment(number == 0 ? ready : ready - 2), R"("}},"lastState":{},"ready":true,"restartCount":)",
        number == 0 ? self.restarts : 0, R"(,"image":")", plan.image, ":", plan.tag, R"(","imageID":")", plan.image,
        "@sha256:", plan.digest, R"(","containerID":"containerd://)", id, R"(","started":true})");
    ++number;
  });
  add(to, R"(],"qosClass":"Burstable"})");
}

}  // namespace

std::string pod_json(const Workload& of, const PodSelf& self, const ObjectState& state) {
  std::string made = "{";
  constexpr std::size_t kUsual = 12'000;
  made.reserve(kUsual);
  add_metadata(made, of, self, state);
  made += ',';
  add_spec(made, of, self);
  made += ',';
  add_status(made, of, self, state);
  return made + "}";
}

}  // namespace bench
