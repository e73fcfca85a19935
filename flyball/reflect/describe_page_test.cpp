// The code of docs/describe.md, and the schemas beside it: tests/data/describe/.
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "flyball/json/yaml.hpp"
#include "flyball/reflect/decode_yaml.hpp"
#include "flyball/reflect/describe.hpp"
#include "flyball/reflect/encode.hpp"
#include "flyball/reflect/schema.hpp"

namespace describe_page {

using namespace flyball;

// One entry per line, for the page.
// clang-format off

// [snippet: first]
struct MemcachedSpec {
  int32_t size = 1;
  std::string image = "memcached:1.6";
};
FLYBALL_DESCRIBE(MemcachedSpec,
                 (size, "How many memcached pods to run.", minimum(1), maximum(10)),
                 (image, "The image every pod runs."))
// [end]

// [snippet: types]
struct Disk {
  std::string path;
  int64_t bytes = 0;
};
FLYBALL_DESCRIBE(Disk, (path, "Where it is mounted."), (bytes, "How large.", optional))

struct Types {
  bool paused = false;
  int32_t replicas = 1;
  int64_t bytes = 0;
  uint32_t pages = 0;
  double ratio = 0;
  std::string image;
  std::optional<int32_t> limit;           // may be absent, and zero is not absent
  std::vector<Disk> disks;
  std::map<std::string, int32_t> weights;
  Disk root;                              // a plain sub-object
  Box<Disk> cache;                        // an optional one, which may also contain its own type
  json::Value settings;                   // any JSON
};
FLYBALL_DESCRIBE(Types, (paused), (replicas), (bytes), (pages), (ratio), (image), (limit), (disks), (weights), (root),
                 (cache), (settings))
// [end]

// [snippet: presence]
struct Presence {
  std::string host;
  int32_t port = 8080;
  std::string zone;
  std::vector<std::string> peers;
  std::optional<std::string> note;
  std::string mode;
  std::string class_;
};
FLYBALL_DESCRIBE(Presence,
                 (host, "No initialiser: required."),
                 (port, "An initialiser that is not zero is the default."),
                 (zone, "Not required, because it says so.", optional),
                 (peers, "A list may be left out, unless it says otherwise.", required),
                 (note, "May also be null.", nullable),
                 (mode, "A default that the API server sets and C++ does not.", optional, default_json("\"auto\"")),
                 (class_, "On the wire without its underscore, or by another name.", json_name("serviceClass")))
// [end]

// [snippet: numbers]
struct Numbers {
  int32_t replicas = 3;
  double ratio = 0.5;
};
FLYBALL_DESCRIBE(Numbers,
                 (replicas, "In threes.", minimum(1), maximum(9), multiple_of(3)),
                 (ratio, "Between the two.", exclusive_minimum(0), exclusive_maximum(1)))
// [end]

// [snippet: strings]
struct Strings {
  std::string name;
  std::string tier;
  std::string endpoint;
};
FLYBALL_DESCRIBE(Strings,
                 (name, "Of the cache.", min_length(1), max_length(63), pattern("^[a-z]([-a-z0-9]*[a-z0-9])?$")),
                 (tier, "A few words.", allowed("gold", "silver")),
                 (endpoint, "Where it answers.", format("uri")))
// [end]

// [snippet: enums]
enum class Mode { primary, replica };
FLYBALL_ENUM(Mode, (primary, "Primary"), (replica, "Replica"))

struct Member {
  Mode mode = Mode::replica;
};
FLYBALL_DESCRIBE(Member, (mode, "Its part."))
// [end]

// [snippet: lists]
struct Port {
  std::string name;
  int32_t number = 0;
};
FLYBALL_DESCRIBE(Port, (self, "A door.", struct_type("atomic")), (name, "What it is called."), (number, "Which."))

struct Lists {
  std::vector<Port> ports;
  std::vector<std::string> hosts;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::vector<int32_t>> slots;
  Port admin{"admin", 9000};
};
FLYBALL_DESCRIBE(Lists,
                 (ports, "Merged by name.", list_type("map"), list_map_key("name"), max_items(8)),
                 (hosts, "Each once.", list_type("set"), min_items(1), items(min_length(1), max_length(63))),
                 (labels, "Replaced as a whole.", map_type("atomic"), max_properties(16), items(max_length(63))),
                 (slots, "By node.", min_properties(1), items(max_items(4), unique_items, items(minimum(0)))),
                 (admin, "The operator's own, filled in by default."))
// [end]

// [snippet: one-of]
struct Git {
  std::string url;
};
FLYBALL_DESCRIBE(Git, (url, "Where to clone from."))

struct Bucket {
  std::string name;
};
FLYBALL_DESCRIBE(Bucket, (name, "Its name."))

struct Source {
  std::variant<std::monostate, Git, Bucket> origin;  // std::monostate: none of them
  std::optional<std::string> tag;
  std::optional<std::string> digest;
};
FLYBALL_DESCRIBE(Source,
                 (self, "Where it comes from.", at_most_one_of("tag", "digest")),
                 (origin, "One of two.", alternatives("git", "bucket")),
                 (tag, "A name that may move."),
                 (digest, "A name that may not."))
// [end]

// [snippet: inlined]
struct Common {
  std::map<std::string, std::string> labels;
  bool paused = false;
};
FLYBALL_DESCRIBE(Common, (labels, "To select it by."), (paused, "Hold."))

struct Worker {
  Common common;
  int32_t count = 1;
};
FLYBALL_DESCRIBE(Worker, (common, inlined), (count, "How many."))
// [end]

// [snippet: wrap]
struct Percent {
  int32_t value = 0;
};
FLYBALL_WRAP(Percent, value, "A share of the whole.", minimum(0), maximum(100))

struct Rollout {
  Percent surge{25};
  std::map<std::string, Percent> weights;
};
FLYBALL_DESCRIBE(Rollout, (surge, "How many more at a time.", maximum(50)), (weights, "By zone."))
// [end]

// [snippet: rules]
struct Rules {
  int32_t minReplicas = 1;
  int32_t maxReplicas = 3;
  std::string storageClass;
  std::optional<std::string> host;
  std::optional<std::string> address;
  std::optional<int32_t> size;
};
FLYBALL_DESCRIBE(Rules,
                 (self,
                  rule("self.minReplicas <= self.maxReplicas",
                       {.message = "minReplicas must not exceed maxReplicas",
                        .reason = "FieldValueInvalid",
                        .field_path = ".minReplicas"}),
                  exactly_one_of("host", "address"),
                  at_least_one_of("address", "size")),
                 (minReplicas), (maxReplicas),
                 (storageClass, "Chosen once.", optional, immutable),
                 (host, "By name."), (address, "By number."),
                 (size, "Grows only.",
                  rule("!oldSelf.hasValue() || self >= oldSelf.value()",
                       {.message_expression = "'cannot shrink below %d'.format([oldSelf.orValue(0)])",
                        .optional_old_self = true})))
// [end]

// [snippet: documentation]
struct Documented {
  std::string schedule = "@daily";
};
FLYBALL_DESCRIBE(Documented,
                 (self, "A plain string is the description."),
                 (schedule, "When to run, as cron says it.", title("Schedule"), example("\"0 3 * * *\""),
                  external_docs("https://en.wikipedia.org/wiki/Cron")))
// [end]

// [snippet: open]
struct Settings {
  bool debug = false;
};
FLYBALL_DESCRIBE(Settings, (debug, "Say more."))

struct Open {
  json::Value values;
  json::Value port;
  Settings settings;
  json::Value template_;
  json::Value legacy;
};
FLYBALL_DESCRIBE(Open,
                 (values, "Any JSON."),
                 (port, "80 or \"http\".", int_or_string),
                 (settings, "Known fields are checked, others kept.", preserve_unknown),
                 (template_, "A whole Kubernetes object.", embedded_resource, preserve_unknown),
                 (legacy, "Nothing is said of it but this.", schemaless, preserve_unknown))
// [end]

// clang-format on

struct MemcachedStatus {
  std::vector<std::string> nodes;
  std::string phase;
};
FLYBALL_DESCRIBE(MemcachedStatus, (nodes, "Names of the pods that are ready."), (phase, "Where it stands."))

}  // namespace describe_page

namespace flyball::reflect {
namespace {

using namespace describe_page;

std::string file(const std::string& name) {
  std::ifstream stream(FLYBALL_SOURCE_DIR "/tests/data/describe/" + name + ".yaml");
  return {std::istreambuf_iterator<char>(stream), {}};
}

template <class T>
std::string schema_yaml() {
  return json::write_yaml(schema<T>());
}

TEST(DescribePage, EverySchemaIsWhatThePageShows) {
  EXPECT_EQ(schema_yaml<MemcachedSpec>(), file("first"));
  EXPECT_EQ(schema_yaml<Types>(), file("types"));
  EXPECT_EQ(schema_yaml<Presence>(), file("presence"));
  EXPECT_EQ(schema_yaml<Numbers>(), file("numbers"));
  EXPECT_EQ(schema_yaml<Strings>(), file("strings"));
  EXPECT_EQ(schema_yaml<Member>(), file("enums"));
  EXPECT_EQ(schema_yaml<Lists>(), file("lists"));
  EXPECT_EQ(schema_yaml<Source>(), file("one-of"));
  EXPECT_EQ(schema_yaml<Worker>(), file("inlined"));
  EXPECT_EQ(schema_yaml<Rollout>(), file("wrap"));
  EXPECT_EQ(schema_yaml<Rules>(), file("rules"));
  EXPECT_EQ(schema_yaml<Documented>(), file("documentation"));
  EXPECT_EQ(schema_yaml<Open>(), file("open"));
}

TEST(DescribePage, AStatusRequiresNothing) {
  // [snippet: status]
  const json::Value schema = reflect::schema<MemcachedStatus>({.status = true});
  EXPECT_FALSE(schema.contains("required"));  // as a spec it would require phase
  // [end]
  EXPECT_EQ(json::write(reflect::schema<MemcachedStatus>()["required"]), R"(["phase"])");
}

TEST(DescribePage, ReadsAndWrites) {
  // [snippet: codec]
  const auto spec = reflect::decode<MemcachedSpec>(R"({"size": 3})");
  EXPECT_EQ(spec.size, 3);
  EXPECT_EQ(spec.image, "memcached:1.6");
  EXPECT_EQ(reflect::encode(spec), R"({"size":3,"image":"memcached:1.6"})");

  try {
    reflect::decode_yaml<MemcachedSpec>("sise: 3\nimage: 1.6\n", {.strict = true});
    FAIL() << "strict decoding takes no unknown field";
  } catch (const reflect::DecodeError& error) {
    EXPECT_STREQ(error.what(),
                 "line 1, column 1: sise: unknown field \"sise\"; did you mean \"size\"?\n"
                 "line 2, column 1: image: expected a string, found the number 1.6; put it in quotes");
  }
  // [end]
}

}  // namespace
}  // namespace flyball::reflect
