// Kubernetes' own field managers and ours, side by side: tests/go/apply.
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/apiserver/merge/field_manager.hpp"
#include "flyball/apiserver/merge/scale.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/merge_patch.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/kube/protobuf_json.hpp"

namespace flyball::apiserver::merge {
namespace {

using json::Value;
using json::View;

// One kind in one version, and how it comes to others.
class Kind {
 public:
  Kind(const std::string& name, View gadget_schemas) : name_(name) {
    if (name == "Gadget") {
      for (const auto [version, schema] : gadget_schemas.entries()) {
        schemas_.emplace("example.com/" + std::string(version), MergeSchema::of_custom(schema));
      }
    } else if (name == "Loose") {
      schemas_.emplace("example.com/v1", MergeSchema::deduced());
    } else {
      type_ = kube::find_kind(name == "Deployment" ? "apps/v1" : "v1", name);
      schemas_.emplace(std::string(type_->kind->api_version), MergeSchema::of(*type_));
    }
  }

  ManagedKind managed(View step) const {
    const std::string version(step["version"].as_string());
    const auto at = std::ranges::find_if(schemas_, [&](const auto& entry) { return entry.first.ends_with(version); });
    return {.schema = at->second,
            .api_version = at->first,
            .kind = name_,
            .reset = reset(step["sub"].string_or("")),
            .convert = [this](View object, std::string_view to) { return convert(object, to); }};
  }

  // As it comes back from storage.
  Value as_stored(const Value& object) const {
    if (type_ == nullptr) return convert(object, "example.com/v1")->object;
    return kube::protobuf_to_json(kube::json_to_protobuf(object));
  }

  std::optional<Converted> convert(View object, std::string_view to) const {
    const auto schema = schemas_.find(to);
    if (schema == schemas_.end()) return std::nullopt;
    json::Draft draft = json::Draft::over(object);
    draft.set("/apiVersion", to);
    return Converted{.object = draft.build(), .schema = &schema->second};
  }

 private:
  FieldFilter reset(std::string_view subresource) const {
    if (type_ != nullptr) return reset_fields(*type_, subresource);
    return name_ == "Gadget" ? reset_fields_of_custom(true, subresource) : FieldFilter();
  }

  std::string name_;
  const reflect::Type* type_ = nullptr;
  std::map<std::string, MergeSchema, std::less<>> schemas_;
};

Value with_owners(const Value& object, View owners) {
  json::Draft draft(object);
  draft.set("/metadata/managedFields", Value(owners));
  return draft.build();
}

Value bring_owners(const Value& next, View live, std::string_view which) {
  const View owners = live["metadata"]["managedFields"];
  if (which == "same") return owners ? with_owners(next, owners) : next;
  if (which == "blank") return with_owners(next, json::array({json::object()}));
  if (which == "none") return with_owners(next, json::array());
  if (which == "rest") {
    json::Draft draft = json::Draft::over(owners);
    draft.root().erase(0);
    return with_owners(next, draft.build());
  }
  return next;
}

// The owners as the vectors have them: one line each, the fields as text.
std::vector<std::string> owner_lines(View owners) {
  std::vector<std::string> lines;
  for (const View entry : owners.items()) {
    json::Draft draft = json::Draft::over(entry);
    draft.erase("/fieldsType");
    draft.set("/fieldsV1", json::write(entry["fieldsV1"], {.escape_html = false}));
    lines.push_back(json::write(draft.build(), {.sort_keys = true}));
  }
  return lines;
}

// Go names several mistakes in a random order.
std::vector<std::string> sorted_lines(std::string_view message) {
  std::vector<std::string> lines;
  std::istringstream text{std::string(message)};
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  if (message.find("errors:\n") != std::string_view::npos) std::ranges::sort(lines);
  return lines;
}

class Replay {
 public:
  Replay(const Kind& kind, View steps) : kind_(kind), steps_(steps) {}

  void run() {
    std::size_t i = 0;
    for (const View step : steps_.items()) {
      SCOPED_TRACE("step " + std::to_string(i));
      one(step, Writer{.manager = std::string(step["manager"].string_or("")),
                       .subresource = std::string(step["sub"].string_or("")),
                       .now = kube::Time::from_unix(1'577'836'800 + 60 * static_cast<std::int64_t>(i))});
      if (testing::Test::HasFailure()) {
        ADD_FAILURE() << json::write(step, {.escape_html = false}) << "\nlive: " << json::write(live_);
        return;
      }
      ++i;
    }
  }

 private:
  void one(View step, const Writer& writer) {
    const std::string_view op = step["op"].as_string();
    if (op == "drift") {
      const Value owners(live_["metadata"]["managedFields"]);
      const Value drifted = written(step, "in", "change");
      live_ = kind_.as_stored(owners.is_null() ? drifted : with_owners(drifted, owners));
      return;
    }
    const ManagedKind kind = kind_.managed(step);
    if (op == "apply" || op == "force") return apply_one(step, kind, writer);
    const View live = op == "create" ? View() : View(live_);
    Value next = written(step, "in", "change");
    if (op != "create") next = bring_owners(next, live_, step["owners"].string_or(""));
    live_ = track_update(in_version(live, kind), in_version(next, kind), kind, writer);
    settle(step);
  }

  void apply_one(View step, const ManagedKind& kind, const Writer& writer) {
    const Force force = step["op"].as_string() == "force" ? Force::yes : Force::no;
    const View live = live_.is_object() ? View(live_) : View();
    try {
      Value made = apply(in_version(live, kind), step["in"], kind, writer, force);
      EXPECT_FALSE(step["error"]) << "made " << json::write(made);
      const Value expected = written(step, "out", "became");
      live_ = std::move(made);
      settle(step);
      EXPECT_EQ(json::write(bare(), {.sort_keys = true}), json::write(expected, {.sort_keys = true}));
    } catch (const ApiError& e) {
      EXPECT_EQ(sorted_lines(e.message()), sorted_lines(step["error"].string_or("")));
      std::vector<std::vector<std::string>> causes;
      for (const auto& cause : e.causes()) causes.push_back({cause.message, cause.field});
      std::ranges::sort(causes);
      std::vector<std::vector<std::string>> expected;
      for (const View cause : step["causes"].items()) {
        expected.push_back({std::string(cause[0].as_string()), std::string(cause[1].as_string())});
      }
      std::ranges::sort(expected);
      EXPECT_EQ(causes, expected);
    }
  }

  Value in_version(View live, const ManagedKind& kind) const {
    if (!live) return nullptr;
    return live["apiVersion"].as_string() == kind.api_version ? Value(live)
                                                              : kind_.convert(live, kind.api_version)->object;
  }

  // An object as the step has it, or as its merge patch makes it of the one before.
  Value written(View step, std::string_view whole, std::string_view patch) const {
    if (step[whole]) return Value(step[whole]);
    return step[patch] ? json::merge_patch(bare(), step[patch]) : bare();
  }

  Value bare() const { return live_.is_object() ? without_managed_fields(live_) : json::object(); }

  // What a server adds, and whether the owners are those that Go has.
  void settle(View step) {
    json::Draft draft(live_);
    draft.set("/metadata/uid", "u");
    live_ = kind_.as_stored(draft.build());
    std::vector<std::string> expected;
    for (const View entry : step["mf"].items()) {
      expected.push_back(entry.is_int() ? owners_.at(static_cast<std::size_t>(entry.as_int()))
                                        : json::write(entry, {.sort_keys = true}));
    }
    EXPECT_EQ(owner_lines(live_["metadata"]["managedFields"]), expected);
    owners_ = expected;
  }

  const Kind& kind_;
  View steps_;
  Value live_;
  std::vector<std::string> owners_;
};

TEST(ApplyGoVectors, EveryStepOfEverySequenceEndsAsInGo) {
  std::ifstream file(FLYBALL_SOURCE_DIR "/tests/data/go_apply_vectors.jsonl");
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  const Value head = json::parse(line);
  std::map<std::string, Kind> kinds;
  std::size_t count = 0;
  while (std::getline(file, line)) {
    const Value sequence = json::parse(line);
    if (sequence["scale"]) continue;
    const std::string name(sequence["kind"].as_string());
    const Kind& kind = kinds.try_emplace(name, name, head["gadget"]).first->second;
    SCOPED_TRACE(name + " in line " + std::to_string(count + 2));
    Replay(kind, sequence["steps"]).run();
    ++count;
    if (HasFailure()) break;
  }
  EXPECT_GE(count, 200U);
}

std::vector<std::string> sorted_texts(View list) {
  std::vector<std::string> texts;
  for (const View item : list.items()) texts.push_back(json::write(item));
  std::ranges::sort(texts);
  return texts;
}

TEST(ApplyGoVectors, OwnersPassThroughTheScaleSubresourceAsInGo) {
  const Path replicas = {PathElement::field("spec"), PathElement::field("replicas")};
  const ReplicasPaths paths = {{"apps/v1", replicas}, {"apps/v1beta1", replicas}, {"apps/v0", std::nullopt}};
  std::ifstream file(FLYBALL_SOURCE_DIR "/tests/data/go_apply_vectors.jsonl");
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    const Value vector = json::parse(line);
    const View scale = vector["scale"];
    if (!scale) continue;
    ++count;
    EXPECT_EQ(to_scale(scale["parent"], paths), Value(scale["scale"])) << line;
    const Value back = to_parent(scale["parent"], scale["after"], "apps/v1", paths);
    EXPECT_EQ(sorted_texts(back), sorted_texts(scale["back"])) << line;
  }
  EXPECT_EQ(count, 40U);
}

}  // namespace
}  // namespace flyball::apiserver::merge
