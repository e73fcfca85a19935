// Who owns which field of a Pod: more than a third of it.
#include "corpus/pods.hpp"
#include "corpus/text.hpp"

namespace bench {
namespace {

constexpr std::string_view kProbe =
    R"({".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},)"
    R"("f:initialDelaySeconds":{},"f:periodSeconds":{},"f:successThreshold":{},"f:timeoutSeconds":{}})";

void add_container(std::string& to, const ContainerPlan& plan) {
  add(to, R"("k:{\"name\":\")", plan.name, R"(\"}":{".":{},"f:args":{},"f:env":{".":{},"k:{\"name\":\"POD_NAME\"}":)",
      R"({".":{},"f:name":{},"f:valueFrom":{".":{},"f:fieldRef":{}}})");
  for (const auto& [name, value] : plan.env) {
    add(to, R"(,"k:{\"name\":\")", name, R"(\"}":{".":{},"f:name":{},"f:value":{}})");
  }
  add(to, R"(},"f:image":{},"f:imagePullPolicy":{},"f:livenessProbe":)", kProbe,
      R"(,"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":)", plan.port,
      R"(,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{},"f:protocol":{}}},"f:readinessProbe":)",
      kProbe, R"(,"f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{}},"f:requests":{".":{},)",
      R"("f:cpu":{},"f:memory":{}}},"f:securityContext":{".":{},"f:allowPrivilegeEscalation":{},"f:capabilities":)",
      R"({".":{},"f:drop":{}},"f:readOnlyRootFilesystem":{},"f:runAsNonRoot":{}},"f:terminationMessagePath":{},)",
      R"("f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/etc/)", plan.name,
      R"(\"}":{".":{},"f:mountPath":{},"f:name":{},"f:readOnly":{}}}})");
}

std::string spec_fields(const Workload& of) {
  std::string made = text(
      R"({"f:metadata":{"f:annotations":{".":{},"f:checksum/config":{},"f:kubectl.kubernetes.io/restartedAt":{},)",
      R"("f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},"f:app.kubernetes.io/instance":{},)",
      R"("f:app.kubernetes.io/name":{},"f:app.kubernetes.io/part-of":{},"f:app.kubernetes.io/version":{},)",
      of.kind == Workload::Kind::deployment ? R"("f:pod-template-hash":{}},)" : R"("f:controller-revision-hash":{}},)",
      R"("f:ownerReferences":{".":{},"k:{\"uid\":\")", of.uid, R"(\"}":{}}},"f:spec":{"f:containers":{)");
  bool first = true;
  for (const ContainerPlan& plan : of.containers) {
    if (!first) made += ',';
    first = false;
    add_container(made, plan);
  }
  add(made, R"(},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},)",
      R"("f:securityContext":{".":{},"f:fsGroup":{},"f:runAsNonRoot":{},"f:runAsUser":{}},"f:serviceAccount":{},)",
      R"("f:serviceAccountName":{},"f:terminationGracePeriodSeconds":{},"f:volumes":{".":{},)",
      R"("k:{\"name\":\"config\"}":{".":{},"f:configMap":{".":{},"f:defaultMode":{},"f:name":{}},"f:name":{}}}}})");
  return made;
}

std::string status_fields(const PodSelf& self) {
  std::string made = R"({"f:status":{"f:conditions":{)";
  for (const std::string_view type : {"ContainersReady", "Initialized", "PodReadyToStartContainers", "Ready"}) {
    if (made.back() != '{') made += ',';
    add(made, R"("k:{\"type\":\")", type, R"(\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},)",
        R"("f:observedGeneration":{},"f:status":{},"f:type":{}})");
  }
  add(made, R"(},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},)",
      R"("k:{\"ip\":\")", self.pod_ip, R"(\"}":{".":{},"f:ip":{}}},"f:startTime":{}}})");
  return made;
}

}  // namespace

std::string managed_fields(const Workload& of, const PodSelf& self, const ObjectState& state) {
  return text(R"([{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":")",
              moment(self.created), R"(","fieldsType":"FieldsV1","fieldsV1":)", spec_fields(of),
              R"(},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":")",
              moment(self.created + 5 + self.created % 17 + std::uint64_t{state.generation} * 600),
              R"(","fieldsType":"FieldsV1","fieldsV1":)", status_fields(self), R"(,"subresource":"status"}])");
}

}  // namespace bench
