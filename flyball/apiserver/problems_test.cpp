#include "flyball/apiserver/problems.hpp"

#include <gtest/gtest.h>

namespace flyball::apiserver {
namespace {

TEST(FieldPath, reads_as_kubernetes_writes_it) {
  EXPECT_EQ(FieldPath("spec").child("containers").index(2).child("image").text(), "spec.containers[2].image");
  EXPECT_EQ(FieldPath("metadata").child("labels").key("a/b").text(), "metadata.labels[a/b]");
  EXPECT_EQ(FieldPath().child("spec").text(), "spec");
}

TEST(Problems, are_worded_as_kube_apiserver_words_them) {
  const FieldPath at("spec.x");
  Problems problems;
  problems.required(at);
  problems.required(at, "must say what");
  problems.invalid(at, "a\"b", "no quotes");
  problems.invalid(at, 3, "too few");
  problems.invalid(at, json::object({{"a", 1}}), "immutable");
  problems.not_supported(at, "Sometimes", {"Always", "Never"});
  problems.duplicate(at, "twice");
  problems.not_found(at, "missing");
  problems.forbidden(at, "not here");
  problems.too_long(at, 63);
  problems.too_many(at, 9, 1);
  std::vector<std::string> texts;
  for (const Problem& problem : problems) texts.push_back(problem.message);
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "Required value", "Required value: must say what", "Invalid value: \"a\\\"b\": no quotes",
                       "Invalid value: 3: too few", "Invalid value: {\"a\":1}: immutable",
                       "Unsupported value: \"Sometimes\": supported values: \"Always\", \"Never\"",
                       "Duplicate value: \"twice\"", "Not found: \"missing\"", "Forbidden: not here",
                       "Too long: may not be more than 63 bytes", "Too many: 9: must have at most 1 item"}));
}

TEST(Problems, said_twice_are_shown_once_and_several_stand_in_brackets) {
  Problems problems;
  problems.required(FieldPath("a"));
  EXPECT_EQ(problems.text(), "a: Required value");
  problems.required(FieldPath("a"));
  problems.forbidden(FieldPath("b"), "no");
  EXPECT_EQ(problems.text(), "[a: Required value, b: Forbidden: no]");
  ASSERT_EQ(problems.causes().size(), 3U);
  EXPECT_EQ(problems.causes()[2],
            (ApiError::Cause{.reason = "FieldValueForbidden", .message = "Forbidden: no", .field = "b"}));
}

}  // namespace
}  // namespace flyball::apiserver
