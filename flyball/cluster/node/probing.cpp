#include "flyball/cluster/node/probing.hpp"

#include <algorithm>

#include "flyball/cluster/node/pod_sources.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

constexpr std::int32_t kUsualPeriod = 10;

std::uint16_t port_of(const core::Container& container, const IntOrString& port) {
  std::int64_t number = port.int_value();
  if (port.is_string()) {
    const auto found = std::ranges::find(container.ports, port.as_string(), &core::ContainerPort::name);
    if (found != container.ports.end()) number = found->containerPort;
  }
  if (number < 1 || number > 65535) throw ConfigError("invalid port number: " + port.to_string());
  return static_cast<std::uint16_t>(number);
}

kube::Time after(kube::Time time, std::int32_t seconds) { return kube::Time::from_unix(time.unix_seconds() + seconds); }

kube::Time due(const core::Probe& probe, const ProbeRecord& state, const ContainerRun& run) {
  if (!state.last) return after(run.started, probe.initialDelaySeconds);
  return after(*state.last, probe.periodSeconds < 1 ? kUsualPeriod : probe.periodSeconds);
}

std::string capital(std::string word) {
  word.front() = static_cast<char>(word.front() - 'a' + 'A');
  return word;
}

}  // namespace

ProbeRequest probe_request(const core::Container& container, const core::Probe& probe) {
  ProbeRequest request{.container = container.name};
  request.timeout = std::chrono::seconds(std::max(probe.timeoutSeconds, 1));
  if (probe.exec) {
    request.command = probe.exec->command;
  } else if (probe.tcpSocket) {
    request.kind = ProbeRequest::Kind::tcp;
    request.host = probe.tcpSocket->host;
    request.port = port_of(container, probe.tcpSocket->port);
  } else if (probe.httpGet) {
    request.kind = ProbeRequest::Kind::http;
    request.host = probe.httpGet->host;
    request.port = port_of(container, probe.httpGet->port);
    request.scheme = probe.httpGet->scheme == "HTTPS" ? "https" : "http";
    request.path = probe.httpGet->path.empty() ? "/" : probe.httpGet->path;
    for (const core::HTTPHeader& header : probe.httpGet->httpHeaders) {
      request.headers.emplace_back(header.name, header.value);
    }
  } else if (probe.grpc) {
    // Whether somebody listens is what can be asked without its protocol.
    request.kind = ProbeRequest::Kind::tcp;
    request.port = port_of(container, IntOrString(probe.grpc->port));
  }
  return request;
}

void Probing::run() {
  for (const core::Container& init : pod_.spec.initContainers) {
    if (is_sidecar(init)) run(init);
  }
  for (const core::Container& container : pod_.spec.containers) run(container);
}

void Probing::run(const core::Container& container) {
  const auto found = record_.containers.find(container.name);
  if (found == record_.containers.end() || !found->second.runs() || found->second.kill_at) return;
  ContainerRecord& state = found->second;
  if (container.startupProbe) {
    if (!state.startup) state.startup = ProbeRecord{.counter = ProbeCounter(false)};
    if (!state.startup->counter.good()) {
      const bool decided = ask(container, *container.startupProbe, "startup", state.startup);
      started = started || state.startup->counter.good();
      if (decided && !state.startup->counter.good())
        failed.push_back({&container, &*container.startupProbe, "startup"});
    }
    if (!state.startup->counter.good()) return;
  }
  if (container.readinessProbe) {
    if (!state.readiness) state.readiness = ProbeRecord{.counter = ProbeCounter(false)};
    ask(container, *container.readinessProbe, "readiness", state.readiness);
  }
  if (container.livenessProbe) {
    if (!state.liveness) state.liveness = ProbeRecord{.counter = ProbeCounter(true)};
    const bool decided = ask(container, *container.livenessProbe, "liveness", state.liveness);
    if (decided && !state.liveness->counter.good()) {
      failed.push_back({&container, &*container.livenessProbe, "liveness"});
    }
  }
}

bool Probing::ask(const core::Container& container, const core::Probe& probe, const std::string& kind,
                  std::optional<ProbeRecord>& state) {
  const ContainerRun& run = *record_.of(container.name).run;
  bool decided = false;
  if (due(probe, *state, run) <= now_) {
    ProbeAnswer answer;
    try {
      answer = runtime_.probe(record_.uid, probe_request(container, probe), stop_);
    } catch (const ConfigError& error) {
      answer.text = error.what();
    }
    state->last = now_;
    if (!answer.success) complaints.push_back(capital(kind) + " probe failed: " + answer.text);
    // A startup probe that has succeeded is not asked again, however many successes others need.
    decided = state->counter.count(answer.success, probe);
  }
  const kube::Time again = due(probe, *state, run);
  if (!(kind == "startup" && state->counter.good())) next = std::min(next.value_or(again), again);
  return decided;
}

}  // namespace flyball::cluster::node
