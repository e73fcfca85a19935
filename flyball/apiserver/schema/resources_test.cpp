// What the real kube-apiserver made of custom resources, and what we make of them. Recorded by
// tests/schemas/record_resources.py.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/apiserver/detail/causes_for_test.hpp"
#include "flyball/apiserver/schema/coerce.hpp"
#include "flyball/apiserver/schema/defaults.hpp"
#include "flyball/apiserver/schema/prune.hpp"
#include "flyball/apiserver/schema/validate.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

TEST(CustomResourcesTest, AreStoredAndRefusedAsByTheRealServer) {
  std::ifstream lines(FLYBALL_SOURCE_DIR "/tests/data/custom_resources.jsonl");
  std::shared_ptr<const Schema> schema;
  std::size_t stored = 0;
  std::size_t refused = 0;
  for (std::string line; std::getline(lines, line);) {
    const json::Value record = json::parse(line);
    if (record["schema"].exists()) schema = Schema::compile(record["schema"]);
    const Pruned pruned = prune(*schema, apply_defaults(*schema, record["object"]));
    const Coerced read = coerce_embedded(*schema, pruned.object);
    if (record["refused"].exists()) {
      ASSERT_TRUE(read.wrong) << line;
      EXPECT_TRUE(record["refused"].as_string().ends_with(": " + read.wrong->text())) << read.wrong->text() << line;
      continue;
    }
    EXPECT_FALSE(read.wrong) << line;
    Problems problems;
    validate(*schema, read.object, problems);
    validate_embedded(*schema, read.object, problems);
    validate_lists(*schema, read.object, problems);
    if (record["wrong"].exists()) {
      EXPECT_EQ(causes_for_test(problems), json::write(record["wrong"])) << line;
      ++refused;
      continue;
    }
    ++stored;
    EXPECT_TRUE(problems.empty()) << problems.text() << "\n" << line;
    EXPECT_EQ(json::write(read.object, {.sort_keys = true}), json::write(record["stored"], {.sort_keys = true}))
        << line;
    std::vector<std::string> warnings;
    for (const json::View warning : record["warnings"].items()) warnings.emplace_back(warning.as_string());
    std::vector<std::string> ours;
    for (const auto* paths : {&pruned.unknown, &read.unknown}) {
      for (const std::string& path : *paths) ours.push_back("unknown field \"" + path + "\"");
    }
    EXPECT_EQ(ours, warnings) << line;
  }
  EXPECT_GE(refused, 60U);
  EXPECT_GE(stored, 60U);
}

}  // namespace
}  // namespace flyball::apiserver
