#include "flyball/apiserver/kinds/workload_checks.hpp"

#include "flyball/base/error.hpp"
#include "flyball/kube/names.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace meta = kube::meta::v1;

std::optional<kube::Selector> selector_from(const meta::LabelSelector& selector) {
  if (is_empty(selector)) return kube::Selector::nothing();
  try {
    return kube::Selector::from(selector.matchLabels, selector.matchExpressions);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

json::Value shown_labels(const kube::Labels& labels) { return labels.empty() ? json::Value() : shown(labels); }

void check_selector_of_template(const meta::LabelSelector& selector, const kube::Labels& labels, const FieldPath& at,
                                Problems& problems, bool required) {
  if (is_empty(selector)) {
    if (required) problems.required(at.child("selector"));
  } else {
    check_label_selector(selector, at.child("selector"), problems);
  }
  const auto made = selector_from(selector);
  if (!made) {
    problems.invalid(at.child("selector"), shown(selector), "invalid label selector");
  } else if (!made->matches(labels)) {
    problems.invalid(at.child("template").child("metadata").child("labels"), shown_labels(labels),
                     "`selector` does not match template `labels`");
  }
}

void check_same_selector(const meta::LabelSelector& selector, const meta::LabelSelector& old, const FieldPath& at,
                         Problems& problems) {
  if (kube::semantic_equal(selector, old)) return;
  problems.invalid(at.child("selector"), is_empty(selector) ? json::Value() : shown(selector), kImmutable);
}

void check_runs_for_ever(const core::PodSpec& spec, std::string_view kind, const FieldPath& at, Problems& problems) {
  if (spec.restartPolicy != "Always") {
    problems.not_supported(at.child("restartPolicy"), spec.restartPolicy, {"Always"});
  }
  if (spec.activeDeadlineSeconds) {
    problems.forbidden(at.child("activeDeadlineSeconds"),
                       "activeDeadlineSeconds in " + std::string(kind) + " is not Supported");
  }
}

void check_counts(const std::vector<NamedCount>& counts, const FieldPath& at, Problems& problems) {
  for (const NamedCount& each : counts) check_not_negative(each.count, at.child(each.name), problems);
}

void check_at_most(const std::vector<NamedCount>& counts, std::int64_t all, std::string_view why, const FieldPath& at,
                   Problems& problems) {
  for (const NamedCount& each : counts) {
    if (each.count > all) problems.invalid(at.child(each.name), each.count, why);
  }
}

void check_not_decremented(const std::optional<std::int32_t>& count, const std::optional<std::int32_t>& old,
                           const FieldPath& at, Problems& problems) {
  if (!old || (count && *count >= *old)) return;
  problems.invalid(at, count.value_or(0), "cannot be decremented");
}

void append_warnings(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void warn_of_name(const std::string& name, std::vector<std::string>& warnings, std::string_view use) {
  const kube::names::Messages messages = kube::names::dns1123_label(name);
  if (messages.empty()) return;
  std::string all;
  for (const std::string& message : messages) all.append(all.empty() ? "" : " ").append(message);
  warnings.push_back(joined({"metadata.name: this is used in ", use,
                             ", which can result in surprising behavior; a DNS label is recommended: [", all, "]"}));
}

}  // namespace flyball::apiserver
