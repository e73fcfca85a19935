// What names, labels, ports and the like may look like, in Kubernetes' own words.
//
//   names::dns1123_label("My_App");      // {"a lowercase RFC 1123 label must consist of … (e.g. 'my-name', …)"}
//   names::label_value("v1.2").empty();  // true: fine
//
// Every function returns what is wrong, one message each, in the order and the words in which the API server says it;
// empty means fine. The API server puts the field and the value in front: `metadata.name: Invalid value: "My_App": …`.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/kube/labels.hpp"

namespace flyball::kube::names {

using Messages = std::vector<std::string>;

// Names of objects. Most kinds take a subdomain; pods' hostnames, namespaces and containers a label; Services a
// DNS-1035 label; RBAC kinds any path segment.
Messages dns1123_label(std::string_view value);      // my-name, at most 63
Messages dns1123_subdomain(std::string_view value);  // example.com, at most 253
Messages dns1123_subdomain_with_underscore(std::string_view value);
Messages dns1035_label(std::string_view value);               // begins with a letter
Messages wildcard_dns1123_subdomain(std::string_view value);  // *.example.com
Messages path_segment(std::string_view value);                // not "." or "..", no "/" and "%"
Messages path_segment_prefix(std::string_view value);         // the same for generateName

// A generateName is checked with its last dash taken for a letter: dns1123_subdomain(mask_trailing_dash("web-")).
std::string mask_trailing_dash(std::string_view prefix);

// Labels and annotations.
Messages label_key(std::string_view value);  // example.com/MyName; also finalizers, conditions, resources
inline Messages qualified_name(std::string_view value) { return label_key(value); }
Messages label_value(std::string_view value);
Messages annotation_key(std::string_view value);  // a label key in any case
inline constexpr std::size_t kAnnotationsLimit = 256 * 1024;
// Keys and values together.
Messages annotations_size(const Labels& annotations);

// Inside specs.
Messages port_name(std::string_view value);
Messages port_number(std::int64_t value);
Messages user_id(std::int64_t value);
Messages group_id(std::int64_t value);
Messages in_range(std::int64_t value, std::int64_t low, std::int64_t high);
Messages env_var_name(std::string_view value);
Messages relaxed_env_var_name(std::string_view value);  // what pods take since v1.34
Messages config_map_key(std::string_view value);        // also Secrets
Messages c_identifier(std::string_view value);
Messages percent(std::string_view value);  // 25%
Messages http_header_name(std::string_view value);
Messages decimal_integer(std::string_view value);

// An address in the one form that Kubernetes takes in new fields (canonical, no leading zeros, not IPv4 in IPv6).
Messages ip(std::string_view value);
// Fields that are older than that rule also take addresses that are not in canonical form.
Messages ip_in_old_field(std::string_view value);

}  // namespace flyball::kube::names
