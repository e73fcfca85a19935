#include "flyball/reflect/schema.hpp"

#include <gtest/gtest.h>

#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/reflect/describe.hpp"

namespace example {

enum class Level { low, high };
FLYBALL_ENUM(Level, (low, "Low"), (high, "High"))

struct Port {
  std::string name;
  int32_t number = 0;
};
FLYBALL_DESCRIBE(Port, (name, "What it is called.", min_length(1)), (number, "Which.", minimum(1), maximum(65535)))

struct Limits {
  int32_t cpu = 2;
  bool hard = false;
};
FLYBALL_DESCRIBE(Limits, (self, "How much."), (cpu, "Cores."), (hard, "Kill beyond."))

struct Git {
  std::string url;
};
FLYBALL_DESCRIBE(Git, (url, "Where.", format("uri")))

struct Spec {
  std::string host;
  std::string class_;
  double ratio = 0.5;
  Level level = Level::high;
  std::vector<Port> ports;
  std::map<std::string, int32_t> weights;
  Limits limits;
  Limits generous{.cpu = 16};
  std::optional<std::string> note;
  std::variant<Git, Port> source;
  flyball::json::Value extra;
  std::string zone;
};
FLYBALL_DESCRIBE(Spec,
                 (self, "Every kind of attribute.", exactly_one_of("note", "zone"),
                  rule("self.host != ''", {.message = "host must be set", .reason = "FieldValueRequired"})),
                 (host, "The host.", pattern("^[a-z]+$"), max_length(63)),
                 (class_, "The class.", allowed("fast", "cheap")),
                 (ratio, "A share.", exclusive_minimum(0), maximum(1)), (level, "How hot."),
                 (ports, "Doors.", list_type("map"), list_map_key("name"), max_items(8)),
                 (weights, "Shares.", items(minimum(0))), (limits, "Bounds."), (generous, "Wide bounds."),
                 (note, "A note.", nullable, title("Note"), example("\"hello\"")),
                 (source, "Where from.", alternatives("git", "port")), (extra, "Anything."),
                 (zone, "Where.", optional, immutable))

struct BadDefault {
  int32_t size = 0;
  int32_t more = 11;
};
FLYBALL_DESCRIBE(BadDefault, (size, "Fine: no default, so it is required.", minimum(1)), (more, "Wrong.", maximum(10)))

struct Endless {
  std::vector<Endless> again;
};
FLYBALL_DESCRIBE(Endless, (again, "Itself."))

struct Inner {
  int32_t share = 1;
};
FLYBALL_DESCRIBE(Inner, (share, "Share."))

struct OptionalKey {
  std::string name;
};
FLYBALL_DESCRIBE(OptionalKey, (name, "Key.", optional))

struct KeyedByIt {
  std::vector<OptionalKey> all;
};
FLYBALL_DESCRIBE(KeyedByIt, (all, "All.", list_type("map"), list_map_key("name")))

struct Words {
  std::optional<std::string> namespace_;
  std::optional<std::string> b;
  std::optional<std::string> c;
};
FLYBALL_DESCRIBE(Words, (self, at_least_one_of("namespace", "a-b.c/d", "x__y")), (namespace_, "A word of CEL."),
                 (b, "Not letters.", json_name("a-b.c/d")), (c, "Underscores.", json_name("x__y"), immutable))

struct TwiceTheName {
  Inner inner;
  int32_t share = 2;
};
FLYBALL_DESCRIBE(TwiceTheName, (inner, "Inlined.", inlined), (share, "Another."))

struct InlinedWithInitialiser {
  Inner inner{.share = 7};
};
FLYBALL_DESCRIBE(InlinedWithInitialiser, (inner, "Inlined.", inlined))

}  // namespace example

namespace flyball::reflect {
namespace {

TEST(SchemaTest, SaysWhatTheStructSays) {
  EXPECT_EQ(json::write_yaml(schema<example::Spec>()), R"(description: Every kind of attribute.
properties:
  class:
    description: The class.
    enum:
    - fast
    - cheap
    type: string
  extra:
    description: Anything.
    x-kubernetes-preserve-unknown-fields: true
  generous:
    default:
      cpu: 16
    description: Wide bounds.
    properties:
      cpu:
        default: 2
        description: Cores.
        format: int32
        type: integer
      hard:
        description: Kill beyond.
        type: boolean
    type: object
  host:
    description: The host.
    maxLength: 63
    pattern: ^[a-z]+$
    type: string
  level:
    default: High
    description: How hot.
    enum:
    - Low
    - High
    type: string
  limits:
    default: {}
    description: Bounds.
    properties:
      cpu:
        default: 2
        description: Cores.
        format: int32
        type: integer
      hard:
        description: Kill beyond.
        type: boolean
    type: object
  note:
    description: A note.
    example: hello
    nullable: true
    title: Note
    type: string
  ports:
    description: Doors.
    items:
      properties:
        name:
          description: What it is called.
          minLength: 1
          type: string
        number:
          description: Which.
          format: int32
          maximum: 65535
          minimum: 1
          type: integer
      required:
      - name
      - number
      type: object
    maxItems: 8
    type: array
    x-kubernetes-list-map-keys:
    - name
    x-kubernetes-list-type: map
  ratio:
    default: 0.5
    description: A share.
    exclusiveMinimum: true
    format: double
    maximum: 1
    minimum: 0
    type: number
  source:
    description: Where from.
    maxProperties: 1
    minProperties: 1
    properties:
      git:
        properties:
          url:
            description: Where.
            format: uri
            type: string
        required:
        - url
        type: object
      port:
        properties:
          name:
            description: What it is called.
            minLength: 1
            type: string
          number:
            description: Which.
            format: int32
            maximum: 65535
            minimum: 1
            type: integer
        required:
        - name
        - number
        type: object
    type: object
  weights:
    additionalProperties:
      format: int32
      minimum: 0
      type: integer
    description: Shares.
    type: object
  zone:
    description: Where.
    type: string
    x-kubernetes-validations:
    - message: this field cannot be changed
      rule: self == oldSelf
required:
- class
- host
type: object
x-kubernetes-validations:
- message: a field that cannot be changed cannot be removed
  rule: '!has(oldSelf.zone) || has(self.zone)'
- message: exactly one of note, zone must be set
  rule: '(has(self.note) ? 1 : 0) + (has(self.zone) ? 1 : 0) == 1'
- message: host must be set
  reason: FieldValueRequired
  rule: self.host != ''
)");
}

TEST(SchemaTest, AStatusRequiresNothingAndHasNoDefaults) {
  const json::Value status = schema<example::Spec>({.status = true});
  EXPECT_FALSE(status.contains("required"));
  EXPECT_FALSE(status["properties"]["source"]["properties"]["git"].contains("required"));
  EXPECT_FALSE(status["properties"]["level"].contains("default"));
}

template <class T>
std::string error_of() {
  try {
    schema<T>();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(SchemaTest, ADefaultOutsideItsBoundsIsAnErrorThatNamesTheField) {
  EXPECT_EQ(error_of<example::BadDefault>(), "BadDefault.more: the default 11 is greater than the maximum 10");
}

TEST(SchemaTest, AnInlinedStructCannotBringANameTwiceNorAnInitialiserOfItsOwn) {
  EXPECT_EQ(error_of<example::TwiceTheName>(), "TwiceTheName.share: an inlined struct brings a field of the same name");
  EXPECT_EQ(
      error_of<example::InlinedWithInitialiser>(),
      "InlinedWithInitialiser.inner: an inlined struct cannot have an initialiser here; give its members theirs in "
      "Inner");
}

TEST(SchemaTest, AListMapKeyIsRequiredInAStatusTooAndCannotBeOptional) {
  EXPECT_EQ(error_of<example::KeyedByIt>(), "OptionalKey.name: a list map key must be required or have a default");
  const json::Value status = schema<example::Spec>({.status = true});
  EXPECT_EQ(json::write(status["properties"]["ports"]["items"]["required"]), R"(["name"])");
}

TEST(SchemaTest, RulesSpellNamesAsCelWantsThem) {
  const json::Value words = schema<example::Words>();
  EXPECT_EQ(words["x-kubernetes-validations"][0]["rule"].as_string(),
            "!has(oldSelf.x__underscores__y) || has(self.x__underscores__y)");
  EXPECT_EQ(words["x-kubernetes-validations"][1]["rule"].as_string(),
            "has(self.__namespace__) || has(self.a__dash__b__dot__c__slash__d) || has(self.x__underscores__y)");
}

TEST(SchemaTest, ATypeThatContainsItselfIsAnErrorThatNamesIt) {
  EXPECT_TRUE(error_of<example::Endless>().starts_with("Endless contains itself")) << error_of<example::Endless>();
}

}  // namespace
}  // namespace flyball::reflect
