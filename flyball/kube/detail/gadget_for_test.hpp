// A resource that uses everything FLYBALL_DESCRIBE and FLYBALL_RESOURCE can say: every attribute, every shape, every
// word of Kubernetes'. tests/data/gadget_crd.yaml is its definition. For tests only.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "flyball/kube/conditions.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/crd.hpp"
#include "flyball/kube/custom_resource.hpp"
#include "flyball/kube/scalars.hpp"
#include "flyball/reflect/describe.hpp"

namespace gadget_example {

using namespace flyball;
using std::chrono_literals::operator""s;

enum class Mode { primary, replica };
FLYBALL_ENUM(Mode, (primary, "Primary"), (replica, "Replica"))

struct Percent {
  int32_t value = 0;
};
FLYBALL_WRAP(Percent, value, "A share of the whole.", minimum(0), maximum(100))

struct Port {
  std::string name;
  int32_t number = 0;
};
FLYBALL_DESCRIBE(Port, (self, "A door.", struct_type("atomic")), (name, "What it is called.", max_length(15)),
                 (number, "Which.", minimum(1), maximum(65535)))

struct Git {
  std::string url;
};
FLYBALL_DESCRIBE(Git, (url, "Where to clone from."))

struct Bucket {
  std::string name;
};
FLYBALL_DESCRIBE(Bucket, (name, "Its name."))

struct Common {
  bool paused = false;
  std::map<std::string, std::string> selector;
};
FLYBALL_DESCRIBE(Common, (paused, "Hold."), (selector, "To choose by."))

struct Reach {
  std::optional<std::string> host;
  std::optional<std::string> address;
  std::optional<std::string> tag;
  std::optional<std::string> digest;
};
FLYBALL_DESCRIBE(Reach,
                 (self, "How to get there.", exactly_one_of("host", "address"), at_most_one_of("tag", "digest"),
                  at_least_one_of("host", "tag")),
                 (host, "By name."), (address, "By number."), (tag, "A name that may move."),
                 (digest, "A name that may not."))

struct Scaling {
  int32_t least = 1;
  int32_t most = 3;
};
FLYBALL_DESCRIBE(Scaling,
                 (self, rule("self.least <= self.most", {.message = "least must not exceed most",
                                                         .reason = "FieldValueForbidden",
                                                         .field_path = ".least"})),
                 (least, "At least."), (most, "At most."))

struct Known {
  bool debug = false;
};
FLYBALL_DESCRIBE(Known, (debug, "Say more."))

struct GadgetSpec {
  std::string name;
  std::string tier = "silver";
  std::string endpoint;
  int32_t replicas = 3;
  int64_t bytes = 0;
  uint32_t pages = 0;
  uint64_t ticks = 0;
  double ratio = 0.5;
  float weight = 0;
  Mode mode = Mode::replica;
  Percent surge{25};
  std::optional<std::string> note;
  std::string setting;
  std::string class_;
  std::vector<Port> ports;
  std::vector<std::string> hosts;
  std::vector<int32_t> lots;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::vector<int32_t>> slots;
  std::variant<std::monostate, Git, Bucket> source;
  Common common;
  Box<Reach> reach;
  Scaling scaling{.least = 2, .most = 5};
  std::optional<int32_t> grown;
  std::string schedule = "@daily";
  kube::Quantity memory = "64Mi";
  kube::IntOrString port = 8080;
  kube::Duration window = 90s;
  std::optional<kube::Time> since;
  std::optional<kube::MicroTime> seen;
  kube::Bytes secret;
  kube::RawJson raw;
  json::Value values;
  json::Value either;
  Known known;
  json::Value template_;
  json::Value legacy;
  std::vector<kube::core::v1::ContainerPort> doors;
  Box<kube::core::v1::SecretKeySelector> password;
};
FLYBALL_DESCRIBE(
    GadgetSpec,
    (self, "All that can be said.", max_properties(64),
     rule("self.replicas <= 6 || self.tier == 'gold'", {.message = "more than 6 replicas are for gold"})),
    (name, "Of the gadget.", min_length(1), max_length(20), pattern("^[a-z]([-a-z0-9]*[a-z0-9])?$")),
    (tier, "A few words.", allowed("gold", "silver")), (endpoint, "Where it answers.", optional, format("uri")),
    (replicas, "In threes.", minimum(0), maximum(9), multiple_of(3)), (bytes, "How large.", optional),
    (pages, "How many.", optional), (ticks, "How long.", optional),
    (ratio, "Between the two.", exclusive_minimum(0), exclusive_maximum(1)), (weight, "How heavy.", optional),
    (mode, "Its part."), (surge, "How many more at a time.", maximum(50)), (note, "May also be null.", nullable),
    (setting, "A default that only the server sets.", optional, default_json("\"auto\"")),
    (class_, "Chosen once.", optional, json_name("serviceClass"), immutable, max_length(20)),
    (ports, "Merged by name.", list_type("map"), list_map_key("name"), max_items(8)),
    (hosts, "Each once.", required, list_type("set"), min_items(1), max_items(8), items(min_length(1), max_length(63))),
    (lots, "Each once, too.", unique_items, max_items(4)),
    (labels, "Replaced as a whole.", map_type("atomic"), max_properties(4), items(max_length(63))),
    (slots, "By node.", min_properties(1), max_properties(4), items(max_items(4), unique_items, items(minimum(0)))),
    (source, "One of two.", alternatives("git", "bucket")), (common, inlined), (reach, "How to get there."),
    (scaling, "Filled in."),
    (grown, "Grows only.",
     rule("!oldSelf.hasValue() || self >= oldSelf.value()",
          {.message_expression = "'cannot shrink below %d'.format([oldSelf.orValue(0)])", .optional_old_self = true})),
    (schedule, "When to run, as cron says it.", title("Schedule"), example("\"0 3 * * *\""),
     external_docs("https://en.wikipedia.org/wiki/Cron")),
    (memory, "How much."), (port, "80 or http."), (window, "How long."), (since, "When.", optional),
    (seen, "When, exactly.", optional), (secret, "Not told.", optional), (raw, "As it is.", optional),
    (values, "Any JSON."), (either, "A number or a word.", int_or_string),
    (known, "Known fields are checked, others kept.", preserve_unknown),
    (template_, "A whole Kubernetes object.", embedded_resource, preserve_unknown),
    (legacy, "Nothing is said of it but this.", schemaless, preserve_unknown),
    (doors, "Of a built-in type.", list_type("map"), list_map_key("containerPort", "protocol")),
    (password, "Where it is."))

struct GadgetStatus {
  int32_t replicas = 0;
  std::string selector;
  std::vector<std::string> nodes;
  Conditions conditions;
};
FLYBALL_DESCRIBE(GadgetStatus, (replicas, "How many there are."), (selector, "Which."),
                 (nodes, "Names of the pods that are ready."), (conditions, "Where it stands."))

using Gadget = CustomResource<"try.example.com", "v1", "Gadget", GadgetSpec, GadgetStatus>;
FLYBALL_RESOURCE(Gadget, {.shortNames = {"gd", "gdg"},
                          .categories = {"all", "toys"},
                          .columns = {{"Replicas", "integer", ".spec.replicas", "How many.", "int32"},
                                      {.name = "Tier", .type = "string", .jsonPath = ".spec.tier", .priority = 1}},
                          .scale = {{.labelSelectorPath = ".status.selector"}},
                          .selectableFields = {".spec.tier"},
                          .labels = {{"example.com/toy", "true"}},
                          .annotations = {{"example.com/maker", "flyball"}, {"example.com/box", "red"}}})

using OldGadget = CustomResource<"try.example.com", "v1beta1", "Gadget", GadgetSpec, GadgetStatus>;
FLYBALL_RESOURCE(OldGadget, {.selectableFields = {".spec.tier"},
                             .deprecated = true,
                             .deprecationWarning = "try.example.com/v1beta1 Gadget: use v1"})

}  // namespace gadget_example
