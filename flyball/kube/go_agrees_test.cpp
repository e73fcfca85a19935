// Every line of tests/data/go_kube_vectors.jsonl is an answer of Kubernetes' own packages; ours must be the same.
//
// Exceptions, where Go's answer is that of a bug. The lines carry it as "wrong_…", beside the exact answer or instead:
// - wrong_value, wrong_milli: Quantity.Value and MilliValue overflow to 0 or to leftover bits, and round negative
//   fractions upwards when the number is held as a big decimal. Ours: away from zero, held at the ends of int64.
// - wrong_out, wrong_neg, wrong_add, wrong_sub: the suffix of a DecimalSI number beyond 999E is lost in print, and
//   what is printed is another number. Ours parses back to the same number.
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "flyball/base/error.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/detail/go_text.hpp"
#include "flyball/kube/field_selector.hpp"
#include "flyball/kube/int_or_string.hpp"
#include "flyball/kube/names.hpp"
#include "flyball/kube/quantity.hpp"
#include "flyball/kube/resource_key.hpp"
#include "flyball/kube/selector.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::kube {
namespace {

using json::View;

// What `answer` returns, or the problem it throws.
struct Outcome {
  std::string value;
  std::string error;
};

template <class Answer>
Outcome outcome_of(Answer answer) {
  try {
    return {answer(), ""};
  } catch (const InputError& error) {
    return {"", error.problem()};
  }
}

// True when Go refuses as well, in the same words; the rest of the row is of no use then.
template <class Make>
bool refused_alike(View row, Make make) {
  const Outcome ours = outcome_of([&] {
    make();
    return std::string();
  });
  EXPECT_EQ(ours.error, row["err"].string_or(""));
  return row["err"].exists() || !ours.error.empty();
}

class GoAgrees : public testing::Test {
 protected:
  // Calls `check` with every row of that kind.
  static void for_each(std::string_view kind, std::size_t at_least, const std::function<void(View)>& check) {
    std::size_t count = 0;
    for (const json::Value& row : rows()) {
      if (row["t"].as_string() != kind) continue;
      SCOPED_TRACE(json::write(row));
      ++count;
      check(row);
    }
    EXPECT_GE(count, at_least) << "rows of kind " << kind;
  }

  static View first(std::string_view kind) {
    for (const json::Value& row : rows()) {
      if (row["t"].as_string() == kind) return row;
    }
    throw Error("there is no row of the kind " + std::string(kind));
  }

  static const std::vector<json::Value>& rows() {
    static const std::vector<json::Value> all = [] {
      std::ifstream file(FLYBALL_SOURCE_DIR "/tests/data/go_kube_vectors.jsonl");
      std::vector<json::Value> rows;
      for (std::string line; std::getline(file, line);) rows.push_back(json::parse(line));
      return rows;
    }();
    return all;
  }
};

std::string_view name_of(Quantity::Format format) {
  if (format == Quantity::Format::binary_si) return "BinarySI";
  return format == Quantity::Format::decimal_si ? "DecimalSI" : "DecimalExponent";
}

// The text where Go's is right; where it is that of another number, at least ours must not be.
void expect_text(View row, const std::string& field, const Quantity& quantity) {
  if (row["wrong_" + field].exists()) {
    EXPECT_EQ(Quantity(quantity.to_string()), quantity);
    EXPECT_NE(quantity.to_string(), row["wrong_" + field].as_string());
    return;
  }
  EXPECT_EQ(quantity.to_string(), row[field].as_string());
}

TEST_F(GoAgrees, OnQuantities) {
  for_each("quantity", 900, [](View row) {
    std::string why;
    const auto quantity = Quantity::try_parse(row["in"].as_string(), &why);
    EXPECT_EQ(why, row["err"].string_or(""));
    ASSERT_EQ(quantity.has_value(), !row["err"].exists());
    if (!quantity) return;
    expect_text(row, "out", *quantity);
    EXPECT_EQ(name_of(quantity->format()), row["format"].as_string());
    EXPECT_EQ(quantity->sign(), row["sign"].as_int());
    if (!row["value"].exists()) return;  // so many digits that Go cannot say
    EXPECT_EQ(quantity->value(), row["value"].as_int());
    EXPECT_EQ(quantity->milli_value(), row["milli"].as_int());
    expect_text(row, "neg", -*quantity);
  });
}

TEST_F(GoAgrees, OnComparingAddingAndSubtractingQuantities) {
  for_each("quantities", 300, [](View row) {
    const Quantity a(row["a"].as_string());
    const Quantity b(row["b"].as_string());
    EXPECT_EQ((a > b) - (a < b), row["cmp"].as_int());
    EXPECT_EQ(a == b, row["cmp"].as_int() == 0);
    expect_text(row, "add", a + b);
    expect_text(row, "sub", a - b);
  });
}

TEST_F(GoAgrees, OnlyExceptionsWithAReasonAreLeft) {
  const auto huge = [](const Quantity& quantity) { return quantity >= "1000E" || quantity <= "-1000E"; };
  for_each("quantity", 1, [&](View row) {
    if (row["err"].exists()) return;
    const Quantity quantity(row["in"].as_string());
    const bool overflows = quantity.milli_value() == INT64_MAX || quantity.milli_value() == INT64_MIN;
    const bool wrong_number = row["wrong_value"].exists() || row["wrong_milli"].exists();
    const bool wrong_text = row["wrong_out"].exists() || row["wrong_neg"].exists();
    EXPECT_TRUE(!wrong_number || overflows || quantity.sign() < 0);
    EXPECT_TRUE(!wrong_text || huge(quantity));
  });
  for_each("quantities", 1, [&](View row) {
    const Quantity a(row["a"].as_string());
    const Quantity b(row["b"].as_string());
    EXPECT_TRUE(!row["wrong_add"].exists() || huge(a + b));
    EXPECT_TRUE(!row["wrong_sub"].exists() || huge(a - b));
  });
}

std::vector<Labels> maps_of(View row) {
  std::vector<Labels> sets;
  for (View set : row["sets"].items()) {
    Labels& labels = sets.emplace_back();
    for (const auto [key, value] : set.entries()) labels.emplace(key, value.as_string());
  }
  return sets;
}

std::string exact_text(const std::optional<std::string>& value) { return value ? "=" + *value : "none"; }
std::string exact_text(View value) { return value ? "=" + std::string(value.as_string()) : "none"; }

TEST_F(GoAgrees, OnLabelSelectors) {
  const std::vector<Labels> sets = maps_of(first("label_sets"));
  for_each("selector", 450, [&](View row) {
    const std::string text(row["in"].as_string());
    if (refused_alike(row, [&] { return Selector::parse(text); })) return;
    const Selector selector = Selector::parse(text);
    EXPECT_EQ(selector.to_string(), row["out"].as_string());
    EXPECT_EQ(exact_text(selector.exact_match("a")), exact_text(row["exact_a"]));
    for (std::size_t i = 0; i < sets.size(); ++i) {
      EXPECT_EQ(selector.matches(sets[i]), row["matches"][i].as_bool()) << "set " << i;
    }
  });
}

struct Expression {
  std::string key;
  std::string operator_;
  std::vector<std::string> values;
};

TEST_F(GoAgrees, OnMatchLabelsAndMatchExpressions) {
  for_each("expressions", 15, [&](View row) {
    Labels labels;
    for (const auto [key, value] : row["in"]["matchLabels"].entries()) labels.emplace(key, value.as_string());
    std::vector<Expression> expressions;
    for (View entry : row["in"]["matchExpressions"].items()) {
      Expression& expression = expressions.emplace_back();
      expression.key = entry["key"].as_string();
      expression.operator_ = entry["operator"].as_string();
      for (View value : entry["values"].items()) expression.values.emplace_back(value.as_string());
    }
    if (refused_alike(row, [&] { return Selector::from(labels, expressions); })) return;
    EXPECT_EQ(Selector::from(labels, expressions).to_string(), row["out"].as_string());
  });
}

TEST_F(GoAgrees, OnFieldSelectors) {
  const std::vector<Labels> sets = maps_of(first("field_sets"));
  for_each("field_selector", 150, [&](View row) {
    const std::string text(row["in"].as_string());
    if (refused_alike(row, [&] { return FieldSelector::parse(text); })) return;
    const FieldSelector selector = FieldSelector::parse(text);
    EXPECT_EQ(selector.to_string(), row["out"].as_string());
    EXPECT_EQ(exact_text(selector.exact_match("a")), exact_text(row["exact_a"]));
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const auto lookup = [&](std::string_view field) {
        const auto found = sets[i].find(std::string(field));
        return found == sets[i].end() ? std::string() : found->second;
      };
      EXPECT_EQ(selector.matches(lookup), row["matches"][i].as_bool()) << "set " << i;
    }
  });
}

TEST_F(GoAgrees, OnWhatIsWrongWithANameWordForWord) {
  const std::map<std::string_view, std::function<names::Messages(std::string_view)>> checks = {
      {"dns1123_label", names::dns1123_label},
      {"dns1123_subdomain", names::dns1123_subdomain},
      {"dns1123_subdomain_with_underscore", names::dns1123_subdomain_with_underscore},
      {"dns1035_label", names::dns1035_label},
      {"wildcard_dns1123_subdomain", names::wildcard_dns1123_subdomain},
      {"path_segment", names::path_segment},
      {"path_segment_prefix", names::path_segment_prefix},
      {"label_key", names::label_key},
      {"label_value", names::label_value},
      {"annotation_key", names::annotation_key},
      {"port_name", names::port_name},
      {"env_var_name", names::env_var_name},
      {"relaxed_env_var_name", names::relaxed_env_var_name},
      {"config_map_key", names::config_map_key},
      {"c_identifier", names::c_identifier},
      {"percent", names::percent},
      {"http_header_name", names::http_header_name},
      {"decimal_integer", names::decimal_integer},
      {"ip", names::ip},
      {"ip_in_old_field", names::ip_in_old_field},
      {"generate_name",
       [](std::string_view prefix) { return names::dns1123_subdomain(names::mask_trailing_dash(prefix)); }},
  };
  const View messages = first("messages")["list"];
  std::map<std::string_view, int> asked;
  for_each("name", 1500, [&](View row) {
    names::Messages expected;
    for (View number : row["says"].items()) {
      expected.emplace_back(messages[static_cast<std::size_t>(number.as_int())].as_string());
    }
    ++asked[row["check"].as_string()];
    EXPECT_EQ(checks.at(row["check"].as_string())(row["in"].as_string()), expected);
  });
  EXPECT_EQ(asked.size(), checks.size());
}

TEST_F(GoAgrees, OnNumbersAndSizesOutOfRange) {
  const auto expected = [](View row) {
    names::Messages messages;
    for (View message : row["says"].items()) messages.emplace_back(message.as_string());
    return messages;
  };
  for_each("port_number", 6, [&](View row) { EXPECT_EQ(names::port_number(row["in"].as_int()), expected(row)); });
  for_each("user_id", 5, [&](View row) { EXPECT_EQ(names::user_id(row["in"].as_int()), expected(row)); });
  for_each("annotations_size", 4, [&](View row) {
    const auto size = static_cast<std::size_t>(row["in"].as_int());
    const Labels annotations{{"a", std::string(size == 0 ? 0 : size - 1, 'v')}};
    EXPECT_EQ(names::annotations_size(annotations), expected(row));
  });
}

TEST_F(GoAgrees, OnDurations) {
  for_each("duration", 150, [](View row) {
    const std::string_view text = row["in"].as_string();
    if (refused_alike(row, [&] { return Duration::parse(text); })) return;
    EXPECT_EQ(Duration::parse(text).nanos(), row["nanos"].as_int());
    EXPECT_EQ(Duration::parse(text).to_string(), row["out"].as_string());
  });
  for_each("duration_nanos", 80,
           [](View row) { EXPECT_EQ(Duration::from_nanos(row["in"].as_int()).to_string(), row["out"].as_string()); });
}

TEST_F(GoAgrees, OnTimes) {
  for_each("time", 150, [](View row) {
    const std::string_view text = row["in"].as_string();
    if (refused_alike(row, [&] { return Time::parse(text); })) return;
    const Time time = Time::parse(text);
    EXPECT_EQ(time.unix_seconds(), row["unix"].as_int());
    // Zero is null on the wire, whatever its text.
    EXPECT_EQ(time.is_zero() ? "null" : time.to_string(), row["out"].string_or("null"));
  });
  for_each("micro_time", 150, [](View row) {
    const std::string_view text = row["in"].as_string();
    if (refused_alike(row, [&] { return MicroTime::parse(text); })) return;
    const MicroTime time = MicroTime::parse(text);
    EXPECT_EQ(time.unix_micros(), row["unix"].as_int());
    // Zero is null on the wire, whatever its text.
    EXPECT_EQ(time.is_zero() ? "null" : time.to_string(), row["out"].string_or("null"));
  });
}

IntOrString int_or_string_of(View value) {
  return value.is_string() ? IntOrString(value.as_string()) : IntOrString(value.as_int());
}

TEST_F(GoAgrees, OnNumbersOrPercentages) {
  for_each("int_or_string", 150, [](View row) {
    const IntOrString value = int_or_string_of(row["in"]);
    EXPECT_EQ(value.to_string(), row["text"].as_string());
    EXPECT_EQ(value.int_value(), row["int"].as_int());
    const auto scaled = [&] {
      return value.scaled_value(row["total"].as_int(), row["up"].as_bool() ? Round::up : Round::down);
    };
    if (refused_alike(row, scaled)) return;
    EXPECT_EQ(scaled(), row["out"].as_int());
  });
  for_each("int_or_string_parse", 9,
           [](View row) { EXPECT_EQ(IntOrString::parse(row["in"].as_string()), int_or_string_of(row["out"])); });
}

TEST_F(GoAgrees, OnGroupsAndVersions) {
  for_each("group_version", 9, [](View row) {
    const std::string_view text = row["in"].as_string();
    if (refused_alike(row, [&] { return GroupVersion::parse(text); })) return;
    const GroupVersion parsed = GroupVersion::parse(text);
    EXPECT_EQ(parsed.group, row["group"].as_string());
    EXPECT_EQ(parsed.version, row["version"].as_string());
    EXPECT_EQ(parsed.to_string(), row["out"].as_string());
    EXPECT_EQ(GroupVersionKind::parse(text, "Kind").to_string(), row["kind"].as_string());
    EXPECT_EQ(GroupVersionResource::parse(text, "things").to_string(), row["resource"].as_string());
  });
}

TEST_F(GoAgrees, OnQuotingStrings) {
  for_each("quote", 8, [](View row) { EXPECT_EQ(detail::quote(row["in"].as_string()), row["out"].as_string()); });
}

}  // namespace
}  // namespace flyball::kube
