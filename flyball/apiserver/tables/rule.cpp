#include "flyball/apiserver/tables/rule.hpp"

#include <algorithm>
#include <set>

#include "flyball/base/error.hpp"
#include "flyball/kube/quantity.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::apiserver::tables {

std::string ratio(std::int64_t part, std::int64_t whole) { return std::to_string(part) + "/" + std::to_string(whole); }

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (const std::string& part : parts) {
    if (&part != parts.data()) joined += separator;
    joined += part;
  }
  return joined;
}

std::string lower_text(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

std::vector<std::string> texts(json::View array) {
  std::vector<std::string> all;
  for (const json::View item : array.items()) all.emplace_back(text(item));
  return all;
}

std::vector<std::string> texts(json::View array, std::string_view member) {
  std::vector<std::string> all;
  for (const json::View item : array.items()) all.emplace_back(text(item[member]));
  return all;
}

std::string first_three(const std::vector<std::string>& all) {
  constexpr std::size_t kShown = 3;
  if (all.size() <= kShown) {
    const std::string joined = join(all, ",");
    return joined.empty() ? "<unset>" : joined;
  }
  return join({all.begin(), all.begin() + kShown}, ",") + " + " + std::to_string(all.size() - kShown) + " more...";
}

json::View condition(json::View conditions, std::string_view type) {
  for (const json::View one : conditions.items()) {
    if (text(one["type"]) == type) return one;
  }
  return {};
}

bool is_true(json::View conditions, std::string_view type) {
  return text(condition(conditions, type)["status"]) == "True";
}

std::string labels_text(json::View labels) {
  std::vector<std::string> pairs;
  for (const auto [key, value] : labels.entries()) pairs.push_back(std::string(key) + "=" + std::string(text(value)));
  // By the whole pair, not by the key: "a-b=1" comes before "a=1".
  std::sort(pairs.begin(), pairs.end());
  return pairs.empty() ? "<none>" : join(pairs, ",");
}

std::string bare_selector_text(json::View selector, std::string_view when_wrong) {
  kube::Selector made;
  try {
    for (const auto [key, value] : selector["matchLabels"].entries()) {
      made.add(kube::Requirement(std::string(key), kube::Operator::equals, {std::string(text(value))}));
    }
    for (const json::View one : selector["matchExpressions"].items()) {
      made.add(kube::Requirement::from_expression(std::string(text(one["key"])), text(one["operator"]),
                                                  texts(one["values"])));
    }
  } catch (const InputError&) {
    return std::string(when_wrong);
  }
  return made.to_string();
}

std::string selector_text(json::View selector) {
  std::string made = bare_selector_text(selector, "<error>");
  return made.empty() ? "<none>" : made;
}

std::string quantity_text(json::View quantity) {
  if (quantity.is_int()) return std::to_string(quantity.as_int());
  const std::string_view written = text_or(quantity, "0");
  const auto parsed = kube::Quantity::try_parse(written);
  return parsed ? parsed->to_string() : std::string(written);
}

std::string int_or_string_text(json::View value) {
  return value.is_int() ? std::to_string(value.as_int()) : std::string(text(value));
}

std::string container_names(json::View pod_spec) { return join(texts(pod_spec["containers"], "name"), ","); }
std::string container_images(json::View pod_spec) { return join(texts(pod_spec["containers"], "image"), ","); }

std::string load_balancer_text(json::View status) {
  std::set<std::string> addresses;
  for (const json::View ingress : status["ingress"].items()) {
    const std::string_view address = text_or(ingress["ip"], text(ingress["hostname"]));
    if (!address.empty()) addresses.emplace(address);
  }
  return join({addresses.begin(), addresses.end()}, ",");
}

}  // namespace flyball::apiserver::tables
