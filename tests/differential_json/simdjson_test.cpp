// json::parse beside simdjson's DOM: the same damaged documents, the same verdicts, the same values.
//
// Where the two differ on purpose:
//   - a surrogate escape without its other half: simdjson refuses it, ours is U+FFFD, as in Go;
//   - an integer beyond the 64-bit ones: simdjson refuses it, ours is a double, as in Kubernetes;
//   - a member that stands twice: simdjson keeps both, so ours is asked with last_wins and both are asked for the text
//     of the last;
//   - depth: simdjson stops at 1024 levels, ours at 1000; no document here comes near.
#include <cmath>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "flyball/json/builder.hpp"
#include "flyball/json/detail/text_for_test.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"

namespace flyball::json {
namespace {

void copy(simdjson::dom::element from, Builder& to) {
  using simdjson::dom::element_type;
  switch (from.type()) {
    case element_type::NULL_VALUE: to.null(); break;
    case element_type::BOOL: to.boolean(from.get_bool().value()); break;
    case element_type::INT64: to.integer(from.get_int64().value()); break;
    case element_type::UINT64: to.number(static_cast<double>(from.get_uint64().value())); break;
    case element_type::DOUBLE: to.number(from.get_double().value()); break;
    case element_type::STRING: to.string(from.get_string().value()); break;
    case element_type::ARRAY: {
      const simdjson::dom::array array = from.get_array();
      to.begin_array();
      for (const auto element : array) copy(element, to);
      to.end();
      break;
    }
    case element_type::OBJECT: {
      const simdjson::dom::object object = from.get_object();
      to.begin_object();
      for (const auto member : object) copy(member.value, to.key(member.key));
      to.end();
      break;
    }
  }
}

struct Verdict {
  std::optional<Value> value;
  std::string problem;
  simdjson::error_code code = simdjson::SUCCESS;
};

Verdict of_simdjson(const std::string& text) {
  static simdjson::dom::parser parser;
  simdjson::dom::element root;
  Verdict verdict;
  verdict.code = parser.parse(text).get(root);
  if (verdict.code != simdjson::SUCCESS) {
    verdict.problem = simdjson::error_message(verdict.code);
    return verdict;
  }
  Builder builder;
  copy(root, builder);
  // Once through our own text, so that members that stand twice are settled the same way.
  verdict.value = parse(write(builder.finish()), {.duplicates = Duplicates::last_wins});
  return verdict;
}

Verdict of_flyball(const std::string& text) {
  Verdict verdict;
  try {
    verdict.value = parse(text, {.duplicates = Duplicates::last_wins});
  } catch (const ParseError& error) {
    verdict.problem = error.what();
  }
  return verdict;
}

bool holds(View value, const auto& wanted) {
  if (wanted(value)) return true;
  for (View element : value.items()) {
    if (holds(element, wanted)) return true;
  }
  for (auto [key, member] : value.entries()) {
    if (wanted(Value(key)) || holds(member, wanted)) return true;
  }
  return false;
}

bool is_big(View value) { return value.kind() == Kind::number && std::abs(value.as_double()) >= 9.2e18; }
bool is_replaced(View value) { return value.string_or("").find("\ufffd") != std::string_view::npos; }

// We read it and simdjson does not: one of the differences listed above. Members that last_wins dropped may have been
// the reason, so the text is looked at as well.
bool differs_on_purpose(const std::string& text, View ours, simdjson::error_code code) {
  if (code == simdjson::STRING_ERROR) return holds(ours, is_replaced) || text.find("\\u") != std::string::npos;
  if (code == simdjson::NUMBER_ERROR) return holds(ours, is_big);
  return false;
}

void compare(const std::string& text) {
  const Verdict theirs = of_simdjson(text);
  const Verdict ours = of_flyball(text);
  if (theirs.value && ours.value) {
    EXPECT_EQ(write(parse(write(*ours.value))), write(*theirs.value)) << text;
  } else if (theirs.value) {
    ADD_FAILURE() << "only simdjson reads this; ours says " << ours.problem << "\n" << text;
  } else if (ours.value) {
    EXPECT_TRUE(differs_on_purpose(text, *ours.value, theirs.code))
        << "only ours reads this; simdjson says " << theirs.problem << "\n"
        << text;
  }
}

std::vector<std::string> documents() {
  std::vector<std::string> documents{read_file_for_test("pod.json")};
  documents.push_back(write(parse(documents[0])["spec"], {.indent = 2}));
  documents.push_back(
      R"([0,-1,63,64,1.5,-0.25e-3,1e22,9223372036854775807,"a\n\u00e9\ud83d\ude00",{"ü":[true,false,null,{}]}])");
  return documents;
}

TEST(SimdjsonDifferentialTest, AgreesOnTheConformanceTable) {
  std::istringstream lines(read_file_for_test("json_conformance.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("accept") && !line.starts_with("reject")) continue;
    const std::size_t name = line.find_first_not_of(' ', 6);
    const std::size_t text = line.find_first_not_of(' ', line.find(' ', name));
    compare(expand_for_test(line.substr(text)));
  }
}

TEST(SimdjsonDifferentialTest, AgreesOnDamagedDocuments) {
  std::mt19937_64 random(20260914);
  const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  const std::string bytes = "{}[],:\"\\/u0129-+.eEtfn \n\t\x01\x7f\xc3\xa9\xe2\x82\xf0\xff";
  std::size_t read = 0;
  constexpr std::size_t kDocuments = 20'000;
  const auto originals = documents();
  for (std::size_t i = 0; i < kDocuments && !testing::Test::HasFailure(); ++i) {
    std::string text = originals[below(originals.size())];
    for (std::size_t wounds = 1 + below(3); wounds != 0; --wounds) {
      const std::size_t at = below(text.size());
      const char byte = bytes[below(bytes.size())];
      switch (below(4)) {
        case 0: text[at] = byte; break;
        case 1: text.insert(at, 1, byte); break;
        case 2: text.erase(at, 1 + below(3)); break;
        default: text.insert(at, text.substr(below(text.size()), below(12))); break;
      }
      if (text.empty()) text = " ";
    }
    compare(text);
    read += of_flyball(text).value ? 1 : 0;
  }
  // Both outcomes must be common, or the test proves little.
  EXPECT_GT(read, kDocuments / 20);
  EXPECT_LT(read, kDocuments - kDocuments / 20);
}

}  // namespace
}  // namespace flyball::json
