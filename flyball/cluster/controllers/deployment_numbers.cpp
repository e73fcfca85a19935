#include "flyball/cluster/controllers/deployment_numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <tuple>
#include <utility>

namespace flyball::cluster {

namespace apps = kube::apps::v1;

namespace {

template <class Number>
std::optional<Number> parse(const std::string& text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || read != end) return std::nullopt;
  return number;
}

// Surge and unavailable; not both may be zero, or nothing could ever move.
std::pair<std::int32_t, std::int32_t> limits(const apps::Deployment& of) {
  const auto scaled = [&](const std::optional<kube::IntOrString>& value, kube::Round round) {
    return value ? static_cast<std::int32_t>(value->scaled_value(replicas(of), round)) : 0;
  };
  if (!of.spec.strategy.rollingUpdate) return {0, 1};
  const std::int32_t surge = scaled(of.spec.strategy.rollingUpdate->maxSurge, kube::Round::up);
  const std::int32_t unavailable = scaled(of.spec.strategy.rollingUpdate->maxUnavailable, kube::Round::down);
  return {surge, surge == 0 && unavailable == 0 ? 1 : unavailable};
}

bool is_copied(const std::string& annotation) {
  static const std::array<std::string_view, 6> own = {"kubectl.kubernetes.io/last-applied-configuration",
                                                      kRevision,
                                                      kRevisionHistory,
                                                      kDesiredReplicas,
                                                      kMaxReplicas,
                                                      "deprecated.deployment.rollback.to"};
  return std::ranges::find(own, annotation) == own.end();
}

void note_history(std::string& history, const std::string& old_revision) {
  constexpr std::size_t kMostCharacters = 2000;
  if (!history.empty()) history += ",";
  history += old_revision;
  while (history.size() > kMostCharacters && history.find(',') != std::string::npos) {
    history.erase(0, history.find(',') + 1);
  }
}

}  // namespace

std::int32_t max_surge(const apps::Deployment& of) { return is_rolling(of) ? limits(of).first : 0; }

std::int32_t max_unavailable(const apps::Deployment& of) {
  if (!is_rolling(of) || replicas(of) == 0) return 0;
  return std::min(limits(of).second, replicas(of));
}

std::int32_t replicas(const Sets& sets) {
  std::int32_t all = 0;
  for (const auto& set : sets) all += replicas(set);
  return all;
}

std::int32_t allowed_replicas(const apps::Deployment& of, std::int32_t of_all, std::int32_t of_new) {
  if (!is_rolling(of)) return replicas(of);
  const std::int32_t most = replicas(of) + max_surge(of);
  if (of_all >= most) return of_new;
  return of_new + std::min(most - of_all, replicas(of) - of_new);
}

std::int32_t proportion(const apps::ReplicaSet& set, const apps::Deployment& of, std::int32_t to_add,
                        std::int32_t added) {
  if (replicas(set) == 0 || to_add == 0 || to_add == added) return 0;
  const auto fraction = [&]() -> std::int32_t {
    if (replicas(of) == 0) return -replicas(set);
    std::int32_t before = number_in(set, kMaxReplicas).value_or(0);
    if (before == 0) before = of.status.replicas;
    if (before == 0) return 0;
    const double size = static_cast<double>(replicas(set)) * (replicas(of) + max_surge(of)) / before;
    return static_cast<std::int32_t>(std::round(size)) - replicas(set);
  }();
  return to_add > 0 ? std::min(fraction, to_add - added) : std::max(fraction, to_add - added);
}

bool is_same_template(const apps::ReplicaSet& set, const apps::Deployment& of) {
  auto without = set.spec.template_;
  auto wanted = of.spec.template_;
  without.metadata.labels.erase(std::string(kTemplateHash));
  wanted.metadata.labels.erase(std::string(kTemplateHash));
  return without == wanted;
}

std::optional<std::int32_t> number_in(const apps::ReplicaSet& set, const char* annotation) {
  const auto found = set.metadata.annotations.find(annotation);
  if (found == set.metadata.annotations.end()) return std::nullopt;
  const auto number = parse<std::int32_t>(found->second);
  return number && *number >= 0 ? number : std::nullopt;
}

std::int64_t revision(const apps::ReplicaSet& set) {
  const auto found = set.metadata.annotations.find(kRevision);
  return found == set.metadata.annotations.end() ? 0 : parse<std::int64_t>(found->second).value_or(0);
}

std::int64_t last_revision(const Sets& sets) {
  std::int64_t last = 0;
  for (const auto& set : sets) last = std::max(last, revision(set));
  return last;
}

void note_replicas(apps::ReplicaSet& set, const apps::Deployment& of) {
  set.metadata.annotations[kDesiredReplicas] = std::to_string(replicas(of));
  set.metadata.annotations[kMaxReplicas] = std::to_string(replicas(of) + max_surge(of));
}

void note_revision(apps::ReplicaSet& set, const apps::Deployment& of, std::int64_t revision_now) {
  auto& annotations = set.metadata.annotations;
  for (const auto& [name, value] : of.metadata.annotations) {
    if (is_copied(name)) annotations[name] = value;
  }
  if (revision(set) >= revision_now) return;
  if (annotations.contains(kRevision)) note_history(annotations[kRevisionHistory], annotations[kRevision]);
  annotations[kRevision] = std::to_string(revision_now);
}

bool is_older(const apps::ReplicaSet& a, const apps::ReplicaSet& b) {
  return std::tie(a.metadata.creationTimestamp, a.metadata.name) <
         std::tie(b.metadata.creationTimestamp, b.metadata.name);
}

}  // namespace flyball::cluster
