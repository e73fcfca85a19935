#include "flyball/json/yaml.hpp"

#include <string>

#include <gtest/gtest.h>

#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

std::string read(std::string_view text, const YamlOptions& options = {}) { return write(parse_yaml(text, options)); }

std::string problem_with(std::string_view text, const YamlOptions& options = {}) {
  try {
    return "accepted as " + read(text, options);
  } catch (const ParseError& error) {
    return error.what();
  }
}

TEST(Yaml, ReadsAManifest) {
  const std::string_view text = R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  paused: no
  template:
    spec:
      containers:
      - name: web
        image: nginx:1.25
)";
  // [snippet: yaml_read]
  const Value deployment = parse_yaml(text);
  const bool paused = deployment["spec"]["paused"].as_bool();  // `paused: no` is false
  const std::string_view image = deployment["spec"]["template"]["spec"]["containers"][0]["image"].as_string();
  // [end]
  EXPECT_EQ(image, "nginx:1.25");
  EXPECT_EQ(deployment["spec"]["replicas"].as_int(), 3);
  EXPECT_FALSE(paused);
}

TEST(Yaml, ReadsTheDocumentsOfAStreamOneByOneAndSkipsTheEmptyOnes) {
  const std::string text = "---\n# nothing\n---\nkind: A\n---\n---\nkind: B\n...\n---\nnull\n---\n";
  // [snippet: yaml_documents]
  std::vector<std::string> kinds;
  for (const Value& object : YamlDocuments(text)) kinds.emplace_back(object["kind"].as_string());
  // [end]
  EXPECT_EQ(kinds, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(parse_yaml_documents(text).size(), 2U);
}

TEST(Yaml, AnErrorInALaterDocumentComesWhenThatDocumentIsAskedFor) {
  YamlDocuments documents("a: 1\n---\nb: [\n");
  EXPECT_EQ(write(*documents.next()), R"({"a":1})");
  EXPECT_THROW(documents.next(), ParseError);
  EXPECT_FALSE(documents.next());
}

TEST(Yaml, OneDocumentIsOneWhateverEmptyOnesAreAroundIt) {
  EXPECT_EQ(read("---\na: 1\n---\n"), R"({"a":1})");
  EXPECT_EQ(read("---\n---\na: 1\n"), R"({"a":1})");
  EXPECT_EQ(read("---\n"), "null");
  EXPECT_EQ(read("~"), "null");
}

TEST(Yaml, JsonTextIsYamlWithAllTheEscapesOfJson) {
  EXPECT_EQ(read(" {\"a\": [\"\\ud83d\\ude00\", 1.5]}\n"), R"({"a":["😀",1.5]})");
  EXPECT_EQ(read("\xef\xbb\xbf{\"a\":1}"), R"({"a":1})");
  EXPECT_EQ(read("{\"a\": yes, b: [on]}"), R"({"a":true,"b":[true]})");
}

TEST(Yaml, ADoubleThatJsonSpellsAsAnIntegerIsOne) {
  EXPECT_TRUE(parse_yaml("3.0").is_int());
  EXPECT_TRUE(parse_yaml("1e3").is_int());
  EXPECT_FALSE(parse_yaml("3.5").is_int());
}

TEST(Yaml, AliasesAndMergeKeysAreExpanded) {
  EXPECT_EQ(read("base: &b {x: 1, z: 2}\nuse: {<<: *b, z: 3}\nlist: [*b, *b]\n"),
            R"({"base":{"x":1,"z":2},"use":{"x":1,"z":3},"list":[{"x":1,"z":2},{"x":1,"z":2}]})");
}

TEST(Yaml, AKeyThatStandsTwiceKeepsItsLastValueWhenAskedToAndIsReported) {
  std::vector<InputError> reports;
  const YamlOptions options{.duplicates = Duplicates::last_wins, .reports = &reports};
  EXPECT_EQ(read("spec:\n  a: 1\n  b: 2\n  a: 3\n", options), R"({"spec":{"a":3,"b":2}})");
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_STREQ(reports[0].what(), "line 4, column 3: spec.a: the key \"a\" stands twice, first on line 2");
}

TEST(Yaml, DuplicatesAreFoundInLargeMaps) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "k" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(parse_yaml(text).size(), 100U);
  EXPECT_EQ(problem_with(text + "k7: 2\n"), "line 101, column 1: k7: the key \"k7\" stands twice, first on line 8");
}

TEST(Yaml, PositionsTellTheLineOfAPointer) {
  // [snippet: yaml_positions]
  Positions positions;
  parse_yaml("kind: Deployment\nspec:\n  replics: 3\n  ports:\n  - 80\n  - 81\n", {.positions = &positions});
  const InputError error(positions.nearest("/spec/replics"), "spec.replics", "unknown field; did you mean replicas?");
  // what(): line 3, column 3: spec.replics: unknown field; did you mean replicas?
  // [end]
  EXPECT_STREQ(error.what(), "line 3, column 3: spec.replics: unknown field; did you mean replicas?");
  EXPECT_EQ(positions.find("/spec/ports/1"), (Position{6, 5}));
  EXPECT_EQ(positions.find("/spec/missing"), Position());
  EXPECT_EQ(positions.nearest("/spec/missing/deep"), (Position{2, 1}));
}

TEST(Yaml, PositionsEscapeThePointerAndFollowAliases) {
  Positions positions;
  parse_yaml("a/b~c: &x\n  d: 1\ne: *x\n---\n", {.positions = &positions});
  EXPECT_EQ(positions.find("/a~1b~0c/d"), (Position{2, 3}));
  EXPECT_EQ(positions.find("/e/d"), (Position{2, 3}));
}

// Hostile input ends in an error, soon and without much memory.
TEST(Yaml, HostileInputIsRefused) {
  std::string laughs = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    laughs += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) laughs += std::string(i == 0 ? "*" : ", *") + static_cast<char>(c - 1);
    laughs += "]\n";
  }
  EXPECT_NE(problem_with(laughs).find("the aliases of the document expand to too much"), std::string::npos);

  std::string merges = "a: &a {k: 1}\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    merges += std::string(1, c) + ": &" + c + " {<<: [";
    for (int i = 0; i < 10; ++i) merges += std::string(i == 0 ? "*" : ", *") + static_cast<char>(c - 1);
    merges += "]}\n";
  }
  EXPECT_NE(problem_with(merges).find("the aliases of the document expand to too much"), std::string::npos);

  std::string big = "a: &a " + std::string(1'000'000, 'x') + "\nb: [";
  for (int i = 0; i < 1000; ++i) big += "*a, ";
  EXPECT_NE(problem_with(big + "]\n").find("the aliases of the document expand to too much"), std::string::npos);

  for (const char* bracket : {"[", "{a: ", "- ", "? ", "[{", "{[", "&a [", "!!seq ["}) {
    std::string deep;
    for (int i = 0; i < 20'000; ++i) deep += bracket;
    EXPECT_EQ(problem_with(deep).find("accepted"), std::string::npos) << bracket;
  }
}

TEST(Yaml, LimitsAreThoseOfTheOptions) {
  EXPECT_EQ(problem_with("[[[1]]]", {.limits = {.depth = 2}}),
            "line 1, column 3: [0]: values are nested deeper than the 2 levels allowed");
  EXPECT_EQ(problem_with("a: &a [1]\nb: [[*a]]\n", {.limits = {.depth = 3}}),
            "line 1, column 4: b[0][0]: values are nested deeper than the 3 levels allowed");
  EXPECT_EQ(problem_with("abcdef", {.limits = {.size = 5}}), "the text has 6 bytes, more than the 5 allowed");
}

TEST(YamlWrite, PrintsWhatKubectlPrints) {
  // [snippet: yaml_write]
  const Value service = object({{"kind", "Service"},
                                {"spec", object({{"ports", array({object({{"port", 80}, {"name", "http"}})})},
                                                 {"selector", object({{"on", "yes"}})}})},
                                {"script", "echo hi\nexit 0\n"},
                                {"version", "1.10"},
                                {"none", object()}});
  const std::string text = write_yaml(service);
  // [end]
  EXPECT_EQ(text, R"(kind: Service
none: {}
script: |
  echo hi
  exit 0
spec:
  ports:
  - name: http
    port: 80
  selector:
    "on": "yes"
version: "1.10"
)");
}

TEST(YamlWrite, KeysKeepTheirOrderWhenAskedTo) {
  EXPECT_EQ(write_yaml(parse(R"({"b":1,"a":2})"), {.sort_keys = false}), "b: 1\na: 2\n");
  EXPECT_EQ(write_yaml(parse(R"({"a10":1,"a9":2})")), "a9: 2\na10: 1\n");
}

TEST(YamlWrite, SeparatesDocuments) {
  const std::vector<Value> values = {object({{"a", "x\n\n"}}), array({1}), nullptr};
  const std::string text = write_yaml_documents(values);
  EXPECT_EQ(text, "a: |+\n  x\n\n---\n- 1\n---\nnull\n");
  EXPECT_EQ(parse_yaml_documents(text).size(), 2U);
}

}  // namespace
}  // namespace flyball::json
