// What the real kube-apiserver made of definitions, and what we make of them. Recorded by
// tests/schemas/record_definitions.py.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/apiserver/detail/causes_for_test.hpp"
#include "flyball/apiserver/schema/definition.hpp"
#include "flyball/apiserver/schema/definition_status.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

std::vector<json::Value> records() {
  std::ifstream lines(FLYBALL_SOURCE_DIR "/tests/data/definitions.jsonl");
  std::vector<json::Value> all;
  for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
  return all;
}

json::Value prepared(json::View sent, json::View old) {
  json::Draft draft(default_definition(sent));
  const json::Value defaulted = draft.build();
  draft.set("/status", prepare_definition_status(defaulted, old));
  return draft.build();
}

TEST(DefinitionsTest, AreRefusedAsByTheRealServer) {
  std::size_t refused = 0;
  for (const json::Value& record : records()) {
    if (!record["wrong"].exists()) continue;
    Problems problems;
    if (const json::View old = record["old"]; old.exists()) {
      validate_definition_update(prepared(record["sent"], old), old, problems);
    } else {
      validate_definition(prepared(record["sent"], {}), problems);
    }
    EXPECT_EQ(causes_for_test(problems), json::write(record["wrong"])) << json::write(record["sent"]["spec"]);
    ++refused;
  }
  EXPECT_GE(refused, 100U);
}

TEST(DefinitionsTest, AreTakenAndDefaultedAsByTheRealServer) {
  std::size_t taken = 0;
  for (const json::Value& record : records()) {
    if (!record["spec"].exists()) continue;
    const json::Value crd = prepared(record["sent"], {});
    Problems problems;
    validate_definition(crd, problems);
    EXPECT_TRUE(problems.empty()) << problems.text();
    EXPECT_EQ(json::write(crd["spec"], {.sort_keys = true}), json::write(record["spec"], {.sort_keys = true}));
    EXPECT_EQ(crd["status"]["storedVersions"], record["status"]["storedVersions"]);
    std::vector<std::string> warnings;
    for (const json::View warning : record["warnings"].items()) warnings.emplace_back(warning.as_string());
    EXPECT_EQ(definition_warnings(crd, {}), warnings);
    ++taken;
  }
  EXPECT_GE(taken, 8U);
}

}  // namespace
}  // namespace flyball::apiserver
