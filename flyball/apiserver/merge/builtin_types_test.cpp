// Every built-in kind merges as Kubernetes' own converter of its OpenAPI documents says: tests/go/apply/types.go.
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/apiserver/merge/merge_type.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/kinds.hpp"

namespace flyball::apiserver::merge {
namespace {

using json::Value;
using json::View;

class TypesCompared {
 public:
  explicit TypesCompared(const std::vector<Value>& types) : types_(types) {}

  void kind(const std::string& path, const MergeType& ours, View theirs) { compare(path, ours, theirs); }
  const std::vector<std::string>& differences() const { return differences_; }

 private:
  void differ(const std::string& path, const std::string& what) { differences_.push_back(path + ": " + what); }

  static std::string forms(const MergeType& type) {
    if (type.scalar == ScalarForm::any && type.map) return type.map_atomic ? "whole" : "any";
    switch (type.scalar) {
      case ScalarForm::string: return "s";
      case ScalarForm::numeric: return "n";
      case ScalarForm::boolean: return "b";
      case ScalarForm::any: return "u";
      case ScalarForm::none: break;
    }
    return type.list ? "list" : "map";
  }

  void compare(const std::string& path, const MergeType& ours, View theirs) {
    if (theirs.is_int()) {
      // Types that contain themselves are compared once.
      if (!seen_.emplace(&ours, theirs.as_int()).second) return;
      return compare(path, ours, types_.at(static_cast<std::size_t>(theirs.as_int()))[1]);
    }
    const std::string form = theirs.is_string() ? std::string(theirs.as_string()) : theirs["l"] ? "list" : "map";
    if (forms(ours) != form) return differ(path, "is " + forms(ours) + ", should be " + form);
    if (form == "list") return compare_lists(path, ours, theirs);
    if (form == "map") compare_maps(path, ours, theirs);
  }

  void compare_lists(const std::string& path, const MergeType& ours, View theirs) {
    std::string relation = ours.list_atomic ? "atomic" : ours.keys.empty() ? "set" : "";
    json::Draft defaults(json::array());
    for (const std::string& key : ours.keys) {
      relation += (relation.empty() ? "" : ",") + key;
      const MergeField* field = ours.item->find_field(key);
      defaults.root().append(field == nullptr ? Value() : field->fallback);
    }
    if (relation != theirs["l"].as_string()) {
      differ(path, "is a list of " + relation + ", should be of " + std::string(theirs["l"].as_string()));
    } else if (theirs["d"] && theirs["d"] != defaults.build()) {
      differ(path, "has defaults of keys " + json::write(defaults.build()) + ", should be " + json::write(theirs["d"]));
    }
    compare(path + "[]", *ours.item, theirs["t"]);
  }

  void compare_maps(const std::string& path, const MergeType& ours, View theirs) {
    if (ours.map_atomic != theirs["a"].exists()) differ(path, ours.map_atomic ? "is atomic" : "should be atomic");
    for (const auto [name, field] : theirs["f"].entries()) {
      const std::string below = path + "." + std::string(name);
      const MergeField* mine = ours.find_field(name);
      if (mine == nullptr) {
        differ(below, "is missing");
      } else {
        compare(below, *mine->type, field);
      }
    }
    if (ours.fields.size() > theirs["f"].size()) differ(path, "has fields of its own");
    if ((ours.others != nullptr) != theirs["t"].exists()) return differ(path, "has others, or should have");
    if (ours.others != nullptr) compare(path + "{}", *ours.others, theirs["t"]);
  }

  const std::vector<Value>& types_;
  std::set<std::pair<const MergeType*, std::int64_t>> seen_;
  std::vector<std::string> differences_;
};

Value without_type(const Value& object) {
  json::Draft draft(object);
  draft.erase("/apiVersion");
  draft.erase("/kind");
  return draft.build();
}

TEST(BuiltinMergeTypes, AndEmptyObjectsOfEveryKindAreThoseOfGo) {
  std::ifstream file(FLYBALL_SOURCE_DIR "/tests/data/go_merge_types.jsonl");
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  const Value kinds = json::parse(line);
  std::vector<Value> types;
  while (std::getline(file, line)) types.push_back(json::parse(line));
  std::size_t count = 0;
  std::set<std::string> differences;
  for (const auto [name, known] : kinds.entries()) {
    const std::size_t blank = name.find(' ');
    const reflect::Type* type = kube::find_kind(name.substr(0, blank), name.substr(blank + 1));
    ASSERT_NE(type, nullptr) << name;
    const MergeSchema schema = MergeSchema::of(*type);
    TypesCompared compared(types);
    compared.kind(std::string(name), schema.root(), known[0]);
    differences.insert(compared.differences().begin(), compared.differences().end());
    ++count;
    if (!known[1]) continue;
    const json::WriteOptions sorted{.sort_keys = true};
    EXPECT_EQ(json::write(without_type(schema.empty_object()), sorted), json::write(known[1], sorted)) << name;
  }
  EXPECT_GE(count, 150U);
  for (const std::string& difference : differences) ADD_FAILURE() << difference;
}

}  // namespace
}  // namespace flyball::apiserver::merge
