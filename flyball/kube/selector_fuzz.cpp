// Any text, as a label selector, as a field selector and as every kind of name. What parses must print and parse back.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "flyball/base/error.hpp"
#include "flyball/kube/field_selector.hpp"
#include "flyball/kube/names.hpp"
#include "flyball/kube/resource_key.hpp"
#include "flyball/kube/selector.hpp"

namespace {

using namespace flyball::kube;

void check(bool holds) {
  if (!holds) std::abort();
}

void check_labels(std::string_view text) {
  Selector selector;
  try {
    selector = Selector::parse(text);
  } catch (const flyball::InputError&) {
    return;
  }
  check(Selector::parse(selector.to_string()) == selector);
  Labels labels;
  for (const Requirement& requirement : selector.requirements()) {
    check(names::label_key(requirement.key()).empty());
    if (!requirement.values().empty()) labels[requirement.key()] = requirement.values()[0];
  }
  check(selector.matches({}) || !selector.is_everything());
  static_cast<void>(selector.matches(labels));
}

void check_fields(std::string_view text) {
  try {
    const FieldSelector selector = FieldSelector::parse(text);
    const FieldSelector back = FieldSelector::parse(selector.to_string());
    check(back.requirements().size() == selector.requirements().size());
    check(FieldSelector::parse(back.to_string()) == back);
  } catch (const flyball::InputError&) {
  }
}

void check_names(std::string_view text) {
  if (names::dns1035_label(text).empty()) check(names::dns1123_label(text).empty());
  if (names::dns1123_label(text).empty()) check(names::dns1123_subdomain(text).empty());
  if (names::dns1123_label(text).empty()) check(names::label_key(text).empty() && names::label_value(text).empty());
  if (names::ip(text).empty()) check(names::ip_in_old_field(text).empty());
  static_cast<void>(names::port_name(text).size() + names::env_var_name(text).size() +
                    names::config_map_key(text).size() + names::annotation_key(text).size() +
                    names::path_segment(text).size() + names::wildcard_dns1123_subdomain(text).size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_labels(text);
  check_fields(text);
  check_names(text);
  try {
    check(ObjectKey::parse(ObjectKey::parse(text).to_string()).name == ObjectKey::parse(text).name);
  } catch (const flyball::InputError&) {
  }
  return 0;
}
