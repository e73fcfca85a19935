// The library kube-apiserver uses and ours, on the same corpus. The vectors are recorded by tests/go/jsonpatch/run.
#include <sstream>

#include <gtest/gtest.h>

#include "flyball/json/detail/text_for_test.hpp"
#include "flyball/json/merge_patch.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/patch.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

std::vector<Value> vectors(std::string_view kind) {
  std::istringstream lines(read_file_for_test("go_patch_vectors.jsonl"));
  std::vector<Value> found;
  for (std::string line; std::getline(lines, line);) {
    Value vector = parse(line);
    if (vector["kind"].as_string() == kind) found.push_back(std::move(vector));
  }
  return found;
}

bool holds_null_element(View value) {
  for (View element : value.items()) {
    if (element.is_null() || holds_null_element(element)) return true;
  }
  for (auto [key, member] : value.entries()) {
    if (holds_null_element(member)) return true;
  }
  return false;
}

// Where we differ from the Go library on purpose; empty when the two must agree.
std::string apply_exception(View vector) {
  bool relative = false;
  bool tests_null_elements = false;
  for (View operation : vector["patch"].items()) {
    for (const char* field : {"path", "from"}) {
      const std::string_view text = operation[field].string_or("");
      relative = relative || (!text.empty() && text.front() != '/');
    }
    tests_null_elements = tests_null_elements || holds_null_element(operation["value"]);
  }
  if (relative) return "it ignores what stands before the first '/', and so edits another field than was meant";
  if (vector["panic"].exists() && tests_null_elements) return "it crashes when it compares null elements of arrays";
  return "";
}

TEST(PatchVectorsTest, AppliesPatchesAsTheGoLibraryDoes) {
  std::size_t agreed = 0;
  std::size_t exceptions = 0;
  for (const Value& vector : vectors("apply")) {
    std::string ours = "error";
    std::string message;
    try {
      ours = write(apply_patch(vector["doc"], vector["patch"]), {.sort_keys = true});
    } catch (const PatchError& error) {
      message = error.what();
    }
    const View result = vector["result"];
    const std::string theirs = result.exists() ? write(result, {.sort_keys = true}) : "error";
    if (ours != theirs && !apply_exception(vector).empty()) {
      ++exceptions;
      continue;
    }
    EXPECT_EQ(ours, theirs) << write(vector, {.escape_html = false}) << "\n" << message;
    ++agreed;
  }
  EXPECT_GE(agreed, 900U);
  EXPECT_LE(exceptions, 10U);
}

TEST(PatchVectorsTest, MergesAsTheGoLibraryDoes) {
  std::size_t agreed = 0;
  for (const Value& vector : vectors("merge")) {
    // It merges only objects and arrays; the RFC has a result for every value.
    if (!vector["result"].exists()) {
      EXPECT_FALSE(vector["patch"].is_object() || vector["patch"].is_array()) << write(vector);
      continue;
    }
    // It drops nulls from an array that replaces a whole document, which no document of Kubernetes is.
    if (vector["patch"].is_array()) continue;
    EXPECT_EQ(write(merge_patch(vector["doc"], vector["patch"], {.drop_nulls_in_arrays = true}), {.sort_keys = true}),
              write(vector["result"], {.sort_keys = true}))
        << write(vector);
    ++agreed;
  }
  EXPECT_GE(agreed, 250U);
}

TEST(PatchVectorsTest, CreatesMergePatchesAsTheGoLibraryDoes) {
  std::size_t agreed = 0;
  for (const Value& vector : vectors("create")) {
    // Of two arrays it makes an array of patches, of an array and an object nothing: that is no merge patch.
    if (!vector["doc"].is_object() || !vector["patch"].is_object()) continue;
    const auto ours = create_merge_patch(vector["doc"], vector["patch"]);
    if (!ours) {
      // Ours says that there is no patch where the Go library makes one that leads elsewhere.
      EXPECT_NE(merge_patch(vector["doc"], vector["result"]), vector["patch"]) << write(vector);
      continue;
    }
    EXPECT_EQ(write(*ours, {.sort_keys = true}), write(vector["result"], {.sort_keys = true})) << write(vector);
    ++agreed;
  }
  EXPECT_GE(agreed, 200U);
}

}  // namespace
}  // namespace flyball::json
