#include "flyball/apiserver/admission/limit_ranger.hpp"

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "flyball/apiserver/admission/usage.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;

const std::string kShelf = "limitranges";
constexpr const char* kAnnotation = "kubernetes.io/limit-ranger";

bool is_limited(const Context& context, const Object& object, const Object* old) {
  const std::string& shelf = object.resource().shelf;
  if (!context.call.subresource.empty()) return shelf == "pods" && context.call.subresource == "resize";
  if (old != nullptr && old->metadata().deletionTimestamp) return false;
  // The containers of a pod stay as they are.
  return (shelf == "pods" && old == nullptr) || shelf == "persistentvolumeclaims";
}

std::vector<core::LimitRange> ranges_of(const Context& context) {
  std::vector<core::LimitRange> ranges;
  if (context.world.store.count(kShelf) == 0) return ranges;
  const Page page = context.world.store.list(kShelf, {.prefix = context.call.namespace_ + "/"});
  for (const auto& [key, stored] : page.items) ranges.push_back(reflect::decode<core::LimitRange>(*stored.bytes));
  return ranges;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

// What was set, for the annotation that tells of it.
void fill(core::Container& container, const core::LimitRangeItem& defaults, const char* what,
          std::vector<std::string>& told) {
  const auto missing = [&](auto& have, const auto& wanted, const char* which) {
    std::vector<std::string> set;
    for (const auto& [name, amount] : wanted) {
      if (have.try_emplace(name, amount).second) set.push_back(name);
    }
    if (set.empty()) return std::string();
    return joined(set, ", ") + " " + which + " for " + what + " " + container.name;
  };
  const std::string limits = missing(container.resources.limits, defaults.default_, "limit");
  const std::string requests = missing(container.resources.requests, defaults.defaultRequest, "request");
  if (!requests.empty()) told.push_back(requests);
  if (!limits.empty()) told.push_back(limits);
}

// One bound of one LimitRange, and what there is of it.
struct Bound {
  std::string type = {};
  std::string name = {};
  Quantity amount = {};
  const Quantity* request = nullptr;
  const Quantity* limit = nullptr;

  std::string said(std::string_view which) const {
    return std::string(which) + " " + name + " usage per " + type + " is " + amount.to_string();
  }
};

std::string below(const Bound& bound) {
  const std::string said = bound.said("minimum");
  if (bound.request == nullptr) return said + ".  No request is specified";
  if (*bound.request < bound.amount) return said + ", but request is " + bound.request->to_string();
  if (bound.limit != nullptr && *bound.limit < bound.amount) return said + ", but limit is " + bound.limit->to_string();
  return {};
}

std::string above(const Bound& bound) {
  const std::string said = bound.said("maximum");
  if (bound.limit == nullptr) return said + ".  No limit is specified";
  if (*bound.limit > bound.amount) return said + ", but limit is " + bound.limit->to_string();
  if (bound.request != nullptr && *bound.request > bound.amount) {
    return said + ", but request is " + bound.request->to_string();
  }
  return {};
}

// Of claims, which have no limits.
std::string request_above(const Bound& bound) {
  const std::string said = bound.said("maximum");
  if (bound.request == nullptr) return said + ".  No request is specified";
  if (*bound.request > bound.amount) return said + ", but request is " + bound.request->to_string();
  return {};
}

std::string too_far(const Bound& bound) {
  const std::string said =
      bound.name + " max limit to request ratio per " + bound.type + " is " + bound.amount.to_string();
  if (bound.request == nullptr || bound.request->is_zero()) {
    return said + ", but no request is specified or request is 0";
  }
  if (bound.limit == nullptr || bound.limit->is_zero()) return said + ", but no limit is specified or limit is 0";
  const double ratio = bound.limit->as_double() / bound.request->as_double();
  if (ratio <= bound.amount.as_double()) return {};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%f", ratio);
  return said + ", but provided ratio is " + text.data();
}

using Check = std::string (*)(const Bound&);

void check_all(Check check, const std::string& type, const auto& bounds, const Amounts& requests, const Amounts& limits,
               std::vector<std::string>& problems) {
  for (const auto& [name, amount] : bounds) {
    const auto request = requests.find(name);
    const auto limit = limits.find(name);
    const Bound bound{.type = type,
                      .name = name,
                      .amount = amount,
                      .request = request == requests.end() ? nullptr : &request->second,
                      .limit = limit == limits.end() ? nullptr : &limit->second};
    if (std::string problem = check(bound); !problem.empty()) problems.push_back(std::move(problem));
  }
}

void check_both(const core::LimitRangeItem& item, const Amounts& requests, const Amounts& limits,
                std::vector<std::string>& problems) {
  check_all(below, item.type, item.min, requests, limits, problems);
  check_all(above, item.type, item.max, requests, limits, problems);
  check_all(too_far, item.type, item.maxLimitRequestRatio, requests, limits, problems);
}

void check_pod(const core::LimitRangeItem& item, const core::PodSpec& spec, std::vector<std::string>& problems) {
  if (item.type == "Pod") return check_both(item, pod_requests(spec), pod_limits(spec), problems);
  if (item.type != "Container") return;
  for (const auto* containers : {&spec.containers, &spec.initContainers}) {
    for (const core::Container& container : *containers) {
      const auto& resources = container.resources;
      check_both(item, resources.requests, resources.limits, problems);
    }
  }
}

void check_claim(const core::LimitRangeItem& item, const core::PersistentVolumeClaim& claim,
                 std::vector<std::string>& problems) {
  if (item.type != "PersistentVolumeClaim") return;
  const Amounts& requests = claim.spec.resources.requests;
  check_all(below, item.type, item.min, requests, {}, problems);
  check_all(request_above, item.type, item.max, requests, {}, problems);
}

}  // namespace

void set_limit_defaults(const Context& context, Object& object, const Object* old) {
  if (object.resource().shelf != "pods" || !is_limited(context, object, old)) return;
  for (const core::LimitRange& range : ranges_of(context)) {
    core::LimitRangeItem defaults;
    for (const core::LimitRangeItem& item : range.spec.limits) {
      if (item.type != "Container") continue;
      for (const auto& [name, amount] : item.defaultRequest) defaults.defaultRequest[name] = amount;
      for (const auto& [name, amount] : item.default_) defaults.default_[name] = amount;
    }
    auto& pod = object.as<core::Pod>();
    std::vector<std::string> told;
    for (core::Container& container : pod.spec.containers) fill(container, defaults, "container", told);
    for (core::Container& container : pod.spec.initContainers) fill(container, defaults, "init container", told);
    if (!told.empty()) pod.metadata.annotations[kAnnotation] = "LimitRanger plugin set: " + joined(told, "; ");
  }
}

void check_limits(const Context& context, const Object& object, const Object* old) {
  if (!is_limited(context, object, old)) return;
  for (const core::LimitRange& range : ranges_of(context)) {
    std::vector<std::string> problems;
    for (const core::LimitRangeItem& item : range.spec.limits) {
      if (object.resource().shelf == "pods") {
        check_pod(item, object.as<core::Pod>().spec, problems);
      } else {
        check_claim(item, object.as<core::PersistentVolumeClaim>(), problems);
      }
    }
    if (problems.empty()) continue;
    const std::string why = problems.size() == 1 ? problems.front() : "[" + joined(problems, ", ") + "]";
    throw refuse::forbidden(object.resource().group_resource(), object.metadata().name, why);
  }
}

}  // namespace flyball::apiserver
