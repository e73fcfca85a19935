// What every JSON library in the benchmark is asked to do. Each one is a Contestant behind the same calls.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// A document that a contestant holds.
class Document {
 public:
  virtual ~Document() = default;
  // A number that depends on every key, string, number, boolean and null, and not on the order of keys.
  virtual std::uint64_t digest() const = 0;
  // Reads the twenty fields of kPaths; gives the sum of their lengths or values.
  virtual std::uint64_t navigate() const = 0;
  virtual std::string write() const = 0;
  // An independent copy: changing one must not change the other.
  virtual std::unique_ptr<Document> copy() const = 0;
  // Takes a copy, sets spec.containers[0].image to `image`, writes the copy.
  virtual std::string edit(std::string_view image) const = 0;
  virtual bool equals(const Document& other) const = 0;
};

struct Contestant {
  std::string name;
  // Parses into a document that is kept.
  std::function<std::unique_ptr<Document>()> parse;
  // Parses and drops the document, with whatever the library lets its user reuse. For on-demand: the full walk.
  std::function<std::uint64_t()> parse_once;
  // Whether there is a document at all (on-demand has none), and whether it can be edited, copied and compared.
  bool keeps = true;
  bool edits = true;
};

Contestant flyball_contestant(const std::string& text);
Contestant nlohmann_contestant(const std::string& text);
Contestant rapidjson_contestant(const std::string& text);
// RapidJSON with malloc in place of its 64 kB pool: what one would use to hold many documents.
Contestant rapidjson_malloc_contestant(const std::string& text);
Contestant boost_contestant(const std::string& text);
Contestant simdjson_dom_contestant(const std::string& text);
Contestant simdjson_on_demand_contestant(const std::string& text);
Contestant simdjson_on_demand_native_contestant(const std::string& text);
// What on-demand sees, for the equivalence check.
std::uint64_t simdjson_on_demand_digest(const std::string& text);

// A step is a member's name, or an index where it is a digit.
using Path = std::vector<std::string_view>;
inline const std::array<Path, 20> kPaths = {{
    {"metadata", "name"},
    {"metadata", "namespace"},
    {"metadata", "uid"},
    {"metadata", "resourceVersion"},
    {"metadata", "labels", "app.kubernetes.io/name"},
    {"metadata", "labels", "team"},
    {"metadata", "annotations", "note"},
    {"metadata", "ownerReferences", "0", "uid"},
    {"spec", "nodeName"},
    {"spec", "restartPolicy"},
    {"spec", "terminationGracePeriodSeconds"},
    {"spec", "containers", "0", "name"},
    {"spec", "containers", "0", "image"},
    {"spec", "containers", "0", "ports", "1", "containerPort"},
    {"spec", "containers", "0", "resources", "limits", "memory"},
    {"spec", "containers", "0", "livenessProbe", "httpGet", "port"},
    {"spec", "serviceAccountName"},
    {"status", "phase"},
    {"status", "conditions", "2", "status"},
    {"status", "podIP"},
}};

inline bool is_index(std::string_view step) { return step.size() == 1 && step[0] >= '0' && step[0] <= '9'; }

// The digest's parts. Objects add up, so that the order of members does not count; arrays chain.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  a = (a ^ (b + 0x9e3779b97f4a7c15U)) * 0xff51afd7ed558ccdU;
  return a ^ (a >> 29);
}
inline std::uint64_t digest_of(std::string_view text) { return mix(1, std::hash<std::string_view>{}(text)); }
inline std::uint64_t digest_of(std::int64_t value) { return mix(2, static_cast<std::uint64_t>(value)); }
inline std::uint64_t digest_of(double value) { return mix(3, std::hash<double>{}(value)); }
inline std::uint64_t digest_of(bool value) { return mix(4, value ? 1 : 0); }
inline std::uint64_t digest_of(std::nullptr_t) { return mix(5, 0); }

}  // namespace bench
