// Kubernetes' own packages and ours, on the same schemas and objects. The vectors are recorded by
// tests/go/customresource/run.
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "flyball/apiserver/detail/causes_for_test.hpp"
#include "flyball/apiserver/schema/defaults.hpp"
#include "flyball/apiserver/schema/prune.hpp"
#include "flyball/apiserver/schema/validate.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::apiserver {
namespace {

std::string recorded(json::View causes) { return causes.exists() ? json::write(causes) : "[]"; }

TEST(SchemaVectorsTest, AgreeWithKubernetesOwnPackages) {
  std::ifstream lines(FLYBALL_SOURCE_DIR "/tests/data/go_schema_vectors.jsonl");
  std::size_t wrong = 0;
  std::size_t tolerated = 0;
  for (std::string line; std::getline(lines, line);) {
    const json::Value vector = json::parse(line);
    const std::shared_ptr<const Schema> schema = Schema::compile(vector["schema"]);
    const Pruned now = prune(*schema, apply_defaults(*schema, vector["object"]));
    const Pruned was = prune(*schema, apply_defaults(*schema, vector["old"]));
    EXPECT_EQ(json::write(now.object, {.sort_keys = true}), json::write(vector["stored"], {.sort_keys = true})) << line;
    std::vector<std::string> unknown;
    for (const json::View path : vector["unknown"].items()) unknown.emplace_back(path.as_string());
    EXPECT_EQ(now.unknown, unknown) << line;
    Problems created;
    validate(*schema, now.object, created);
    validate_lists(*schema, now.object, created);
    EXPECT_EQ(causes_for_test(created), recorded(vector["wrong"])) << line;
    Problems updated;
    validate_update(*schema, now.object, was.object, updated);
    EXPECT_EQ(causes_for_test(updated), recorded(vector["wrongNow"])) << line;
    wrong += vector["wrong"].exists() ? 1 : 0;
    tolerated += vector["wrong"] != vector["wrongNow"] ? 1 : 0;
  }
  EXPECT_GE(wrong, 300U);
  EXPECT_GE(tolerated, 50U);
}

}  // namespace
}  // namespace flyball::apiserver
