// Kubernetes' own strategicpatch and ours, on the same corpus. The vectors are recorded by tests/go/strategicpatch/run.
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "flyball/apiserver/strategic_merge.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/kinds.hpp"

namespace flyball::apiserver {
namespace {

struct Outcome {
  std::string result = {};
  std::string error = {};
};

Outcome ours(json::View vector) {
  const std::string_view kind = vector["kind"].as_string();
  const reflect::Type* type = kube::find_kind(kind == "Deployment" ? "apps/v1" : "v1", kind);
  try {
    return {.result = json::write(strategic_merge(vector["object"], vector["patch"], *type), {.sort_keys = true})};
  } catch (const StrategicMergeError& error) {
    return {.error = error.what()};
  }
}

TEST(StrategicVectorsTest, AgreesWithKubernetesOwnPackage) {
  std::ifstream lines(FLYBALL_SOURCE_DIR "/tests/data/go_strategic_patch_vectors.jsonl");
  std::size_t results = 0;
  std::size_t errors = 0;
  for (std::string line; std::getline(lines, line);) {
    const json::Value vector = json::parse(line);
    const Outcome outcome = ours(vector);
    if (vector["panic"].exists()) {
      EXPECT_FALSE(outcome.error.empty()) << line;  // it crashes; an error will do
    } else if (vector["error"].exists()) {
      EXPECT_EQ(outcome.error, vector["error"].as_string()) << line;
      ++errors;
    } else {
      EXPECT_EQ(outcome.result, json::write(vector["result"], {.sort_keys = true})) << outcome.error << "\n" << line;
      ++results;
    }
  }
  EXPECT_GE(results, 500U);
  EXPECT_GE(errors, 100U);
}

}  // namespace
}  // namespace flyball::apiserver
