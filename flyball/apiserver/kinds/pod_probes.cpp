#include <string>

#include "flyball/apiserver/kinds/checks.hpp"
#include "flyball/apiserver/kinds/pod_checks.hpp"

// Probes and lifecycle hooks: what is done in or to a container.
namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace names = kube::names;

constexpr std::string_view kOneHandler = "may not specify more than 1 handler type";

void check_http(const core::HTTPGetAction& get, const FieldPath& at, Problems& problems) {
  require(get.path, at.child("path"), problems);
  check_port_or_name(get.port, at.child("port"), problems);
  check_one_of(get.scheme, {"HTTP", "HTTPS"}, at.child("scheme"), problems);
  for (const core::HTTPHeader& header : get.httpHeaders) {
    check_name(header.name, names::http_header_name, at.child("httpHeaders"), problems);
  }
}

class Handler {
 public:
  Handler(const FieldPath& at, Problems& problems) : at_(at), problems_(problems) {}
  ~Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

  template <class T, class Check>
  void one(const Box<T>& action, std::string_view name, Check&& check) {
    if (!action) return;
    if (found_) {
      problems_.forbidden(at_.child(name), kOneHandler);
      return;
    }
    found_ = true;
    check(*action, at_.child(name));
  }
  void common(const Box<core::ExecAction>& exec, const Box<core::HTTPGetAction>& get,
              const Box<core::TCPSocketAction>& socket) {
    one(exec, "exec", [&](const core::ExecAction& action, const FieldPath& at) {
      if (action.command.empty()) problems_.required(at.child("command"));
    });
    one(get, "httpGet",
        [&](const core::HTTPGetAction& action, const FieldPath& at) { check_http(action, at, problems_); });
    one(socket, "tcpSocket", [&](const core::TCPSocketAction& action, const FieldPath& at) {
      check_port_or_name(action.port, at.child("port"), problems_);
    });
  }
  void end() {
    if (!found_) problems_.required(at_, "must specify a handler type");
  }

 private:
  const FieldPath& at_;
  Problems& problems_;
  bool found_ = false;
};

void check_hook(const core::LifecycleHandler& hook, std::int64_t grace, const FieldPath& at, Problems& problems) {
  Handler handler(at, problems);
  handler.common(hook.exec, hook.httpGet, hook.tcpSocket);
  handler.one(hook.sleep, "sleep", [&](const core::SleepAction& sleep, const FieldPath& here) {
    if (sleep.seconds >= 0 && sleep.seconds <= grace) return;
    problems.invalid(
        here, sleep.seconds,
        "must be non-negative and less than terminationGracePeriodSeconds (" + std::to_string(grace) + ")");
  });
  handler.end();
}

void check_probe(const core::Probe& probe, const FieldPath& at, Problems& problems) {
  Handler handler(at, problems);
  handler.common(probe.exec, probe.httpGet, probe.tcpSocket);
  handler.one(probe.grpc, "grpc", [&](const core::GRPCAction& action, const FieldPath& here) {
    check_port_or_name(kube::IntOrString(action.port), here.child("port"), problems);
  });
  handler.end();
  check_not_negative(probe.initialDelaySeconds, at.child("initialDelaySeconds"), problems);
  check_not_negative(probe.timeoutSeconds, at.child("timeoutSeconds"), problems);
  check_not_negative(probe.periodSeconds, at.child("periodSeconds"), problems);
  check_not_negative(probe.successThreshold, at.child("successThreshold"), problems);
  check_not_negative(probe.failureThreshold, at.child("failureThreshold"), problems);
  if (probe.terminationGracePeriodSeconds && *probe.terminationGracePeriodSeconds <= 0) {
    problems.invalid(at.child("terminationGracePeriodSeconds"), *probe.terminationGracePeriodSeconds,
                     "must be greater than 0");
  }
}

void check_killing_probe(const Box<core::Probe>& probe, const FieldPath& at, Problems& problems) {
  if (!probe) return;
  check_probe(*probe, at, problems);
  if (probe->successThreshold != 1) {
    problems.invalid(at.child("successThreshold"), probe->successThreshold, "must be 1");
  }
}

}  // namespace

void check_port_or_name(const kube::IntOrString& port, const FieldPath& at, Problems& problems) {
  if (port.is_int()) {
    problems.invalid(at, port.as_int(), names::port_number(port.as_int()));
  } else {
    problems.invalid(at, port.as_string(), names::port_name(port.as_string()));
  }
}

void check_probes(const core::Container& container, std::int64_t grace_seconds, const FieldPath& at,
                  Problems& problems) {
  if (container.lifecycle) {
    const FieldPath here = at.child("lifecycle");
    if (container.lifecycle->postStart) {
      check_hook(*container.lifecycle->postStart, grace_seconds, here.child("postStart"), problems);
    }
    if (container.lifecycle->preStop) {
      check_hook(*container.lifecycle->preStop, grace_seconds, here.child("preStop"), problems);
    }
  }
  check_killing_probe(container.livenessProbe, at.child("livenessProbe"), problems);
  if (container.readinessProbe) {
    const FieldPath here = at.child("readinessProbe");
    check_probe(*container.readinessProbe, here, problems);
    if (container.readinessProbe->terminationGracePeriodSeconds) {
      problems.invalid(here.child("terminationGracePeriodSeconds"),
                       *container.readinessProbe->terminationGracePeriodSeconds, "must not be set for readinessProbes");
    }
  }
  check_killing_probe(container.startupProbe, at.child("startupProbe"), problems);
}

}  // namespace flyball::apiserver
