// Every line of tests/data/go_equality_vectors.jsonl is an answer of equality.Semantic.DeepEqual; ours must be the
// same.
#include <sstream>

#include <gtest/gtest.h>

#include "flyball/json/detail/text_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/equality.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::kube {
namespace {

std::string told(const std::optional<Difference>& found) { return found ? found->to_string() : "same"; }

template <class T>
void compare(json::View row) {
  const auto a = reflect::decode<T>(json::write(row["a"]));
  const auto b = reflect::decode<T>(json::write(row["b"]));
  const bool equal = row["equal"].as_bool();
  const auto typed = difference(a, b);
  EXPECT_EQ(!typed, equal) << json::write(row) << "\n" << told(typed);
  EXPECT_EQ(difference(b, a).has_value(), typed.has_value()) << json::write(row);
  const auto dynamic = difference(reflect::type_of<T>(), row["a"], row["b"]);
  EXPECT_EQ(!dynamic, equal) << json::write(row) << "\n" << told(dynamic);
  // What is equal is also held.
  if (equal) {
    EXPECT_TRUE(holds(a, b)) << json::write(row);
    EXPECT_FALSE(missing(reflect::type_of<T>(), row["a"], row["b"])) << json::write(row);
  }
}

TEST(EqualityGoTest, AgreesOnEveryPair) {
  std::istringstream lines(json::read_file_for_test("go_equality_vectors.jsonl"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const json::Value row = json::parse(line);
    row["kind"].as_string() == "Pod" ? compare<core::v1::Pod>(row) : compare<apps::v1::Deployment>(row);
  }
  EXPECT_GE(count, 500U);
}

}  // namespace
}  // namespace flyball::kube
