// Manifests that are wrong, and exactly what a person is told about each: tests/data/wrong_manifests.txt.
#include <sstream>

#include <gtest/gtest.h>

#include "flyball/json/detail/text_for_test.hpp"
#include "flyball/reflect/decode_yaml.hpp"
#include "flyball/reflect/detail/database_for_test.hpp"

namespace flyball::reflect {
namespace {

struct Case {
  std::string how;  // "yaml" or "json", with "lenient " before it
  std::string text;
  std::string says;
};

// A line that ends in a colon at the margin says what the indented lines below it are.
std::vector<Case> wrong_manifests() {
  std::vector<Case> cases;
  std::string* part = nullptr;
  std::istringstream lines(json::read_file_for_test("wrong_manifests.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("  ")) {
      *part += line.substr(2) + "\n";
    } else if (line == "says:") {
      part = &cases.back().says;
    } else {
      part = &cases.emplace_back(line.substr(0, line.size() - 1)).text;
    }
  }
  return cases;
}

std::string answer(const Case& of) {
  const bool strict = !of.how.starts_with("lenient ");
  try {
    if (of.how.ends_with("json")) {
      decode<database_example::Database>(of.text, {.strict = strict});
    } else {
      decode_yaml<database_example::Database>(of.text, {.strict = strict});
    }
  } catch (const Error& error) {
    return std::string(error.what()) + "\n";
  }
  return "accepted\n";
}

TEST(WrongManifestsTest, EachGetsExactlyTheAnswerOfTheTable) {
  const auto cases = wrong_manifests();
  EXPECT_GE(cases.size(), 60U);
  for (const Case& one : cases) {
    EXPECT_EQ(answer(one), one.says) << one.how << ":\n" << one.text;
    EXPECT_NE(one.says, "accepted\n") << one.text;
  }
}

TEST(WrongManifestsTest, ARightOneIsTakenFromYamlAndFromJson) {
  const auto from_yaml = decode_yaml<database_example::Database>(R"(apiVersion: db.example.com/v1
kind: Database
metadata: {name: orders, labels: {team: shop}}
spec:
  engine: MySQL
  replicas: 3
  ports:
  - name: sql
    containerPort: 3306
  weights: {east: 60, west: 40}
  storage:
    volume: {claim: orders-data, size: 512Mi}
  nodeSelector: {disk: ssd}
  serviceClass: gold
)",
                                                                 {.strict = true});
  EXPECT_EQ(from_yaml.spec.ports.at(0).containerPort, 3306);
  EXPECT_EQ(std::get<database_example::Volume>(from_yaml.spec.storage).size.count, 512);
  EXPECT_EQ(from_yaml.spec.scheduling.nodeSelector.at("disk"), "ssd");
  const auto from_json = decode<database_example::Database>(
      R"({"apiVersion": "db.example.com/v1", "kind": "Database",
          "metadata": {"name": "orders", "labels": {"team": "shop"}},
          "spec": {"engine": "MySQL", "replicas": 3, "ports": [{"name": "sql", "containerPort": 3306}],
                   "weights": {"east": 60, "west": 40},
                   "storage": {"volume": {"claim": "orders-data", "size": "512Mi"}},
                   "nodeSelector": {"disk": "ssd"}, "serviceClass": "gold"}})",
      {.strict = true});
  EXPECT_EQ(from_yaml, from_json);
}

TEST(DecodeYamlTest, LenientTakesTheLastOfTwoAndPassesOverWhatItDoesNotKnow) {
  const auto database = decode_yaml<database_example::Database>("spec:\n  replicas: 2\n  sise: 1\n  replicas: 4\n");
  EXPECT_EQ(database.spec.replicas, 4);
}

TEST(DecodeYamlTest, TellsMistakesOfYamlAsTheYamlReaderDoes) {
  EXPECT_THROW(decode_yaml<database_example::Database>("spec: [1\n"), json::ParseError);
  EXPECT_THROW(decode_yaml<database_example::Database>("a: 1\n---\nb: 2\n"), json::ParseError);
}

}  // namespace
}  // namespace flyball::reflect
