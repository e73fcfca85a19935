// What the rules make of objects, against what kube-apiserver v1.36 made of them (tests/data/kinds/record.py).
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "flyball/apiserver/kinds/metadata_rules.hpp"
#include "flyball/apiserver/kinds/rules.hpp"
#include "flyball/apiserver/kinds/service_addresses.hpp"
#include "flyball/json/value.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/equality.hpp"
#include "flyball/kube/kinds.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/object.hpp"

namespace flyball::apiserver {
namespace {

namespace core = kube::core::v1;
namespace meta = kube::meta::v1;

std::vector<json::Value> cases_of(const std::string& name) {
  std::ifstream file(FLYBALL_SOURCE_DIR "/tests/data/kinds/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return json::parse_yaml_documents(text.str());
}

// An object as the engine has it after decoding: in its namespace, with a uid.
struct Loaded {
  explicit Loaded(json::View document)
      : object(*kube::find_kind(document["apiVersion"].as_string(), document["kind"].as_string())),
        rules(*find_rules(object.type())) {
    reflect::decode(json::write(document), object.type(), object.get());
  }

  // Every kind begins with it.
  meta::ObjectMeta& metadata() { return *static_cast<meta::ObjectMeta*>(object.get()); }
  void* get() { return object.get(); }
  bool is_service() const { return object.type().kind->kind == "Service"; }
  bool namespaced() const { return object.type().kind->namespaced; }

  void come_in() {
    rules.default_object(get());
    metadata().uid = "the-uid";
    if (namespaced()) metadata().namespace_ = "default";
  }
  void allocate(const Loaded* old, Problems& problems) {
    if (!is_service()) return;
    Random random(1);
    TakenAddresses taken;
    taken.ips.insert("10.0.0.1");
    const auto* before = old == nullptr ? nullptr : static_cast<const core::Service*>(old->object.get());
    if (before != nullptr) taken.add(*before);
    allocate_service(*static_cast<core::Service*>(get()), before, {}, taken, random, problems);
  }

  reflect::Object object;
  const Rules& rules;
};

std::set<std::string> texts_of(const Problems& problems) {
  std::set<std::string> texts;
  for (const Problem& problem : problems) texts.insert(problem.text());
  return texts;
}

std::set<std::string> texts_of(json::View problems) {
  std::set<std::string> texts;
  for (const json::View text : problems.items()) texts.emplace(text.as_string());
  return texts;
}

TEST(RecordedKinds, WhatIsStoredIsWhatTheRealServerStores) {
  const std::vector<json::Value> cases = cases_of("created.yaml");
  ASSERT_GT(cases.size(), 60U);
  for (const json::Value& each : cases) {
    SCOPED_TRACE(json::write(each["sent"]));
    Loaded sent(each["sent"]);
    sent.come_in();
    sent.rules.prepare_create_object(sent.get());
    sent.rules.stamp_object(sent.get(), nullptr, false, Writer());
    Problems problems;
    validate_metadata(sent.metadata(), sent.namespaced(), sent.rules.traits().name, problems);
    if (!sent.is_service()) sent.rules.validate_object(sent.get(), problems);
    EXPECT_EQ(problems.text(), Problems().text());

    sent.metadata().uid.clear();
    sent.metadata().namespace_.clear();
    if (sent.is_service()) static_cast<core::Service*>(sent.get())->spec.clusterIP.clear();
    if (each["sent"]["kind"].as_string() == "PersistentVolume") {
      static_cast<core::PersistentVolume*>(sent.get())->status.lastPhaseTransitionTime.reset();
    }
    const Loaded stored(each["stored"]);
    const auto difference = kube::difference(sent.object.type(), stored.object.get(), sent.object.get());
    EXPECT_FALSE(difference) << "the real server → ours: " << difference->to_string();
  }
}

TEST(RecordedKinds, DefaultsDoNotChangeWhatIsStored) {
  for (const json::Value& each : cases_of("created.yaml")) {
    SCOPED_TRACE(json::write(each["stored"]));
    Loaded once(each["stored"]);
    Loaded twice(each["stored"]);
    twice.rules.default_object(twice.get());
    if (once.is_service()) continue;  // its addresses are left out of the record
    EXPECT_FALSE(kube::difference(once.object.type(), once.get(), twice.get()));
  }
}

TEST(RecordedKinds, WhatIsRefusedIsRefusedInTheWordsOfTheRealServer) {
  const std::vector<json::Value> cases = cases_of("refused.yaml");
  ASSERT_GT(cases.size(), 70U);
  for (const json::Value& each : cases) {
    SCOPED_TRACE(json::write(each["sent"]));
    Loaded sent(each["sent"]);
    sent.come_in();
    Problems problems;
    sent.allocate(nullptr, problems);
    if (problems.empty()) {
      sent.rules.prepare_create_object(sent.get());
      validate_metadata(sent.metadata(), sent.namespaced(), sent.rules.traits().name, problems);
      validate_kube_finalizers(sent.metadata(), problems);
      sent.rules.validate_object(sent.get(), problems);
    }
    EXPECT_EQ(texts_of(problems), texts_of(each["problems"]));
  }
}

TEST(RecordedKinds, WhatCannotChangeIsRefusedInTheWordsOfTheRealServer) {
  const std::vector<json::Value> cases = cases_of("refused_updates.yaml");
  ASSERT_GT(cases.size(), 20U);
  for (const json::Value& each : cases) {
    SCOPED_TRACE(json::write(each["sent"]));
    Loaded old(each["old"]);
    old.come_in();
    Problems none;
    old.allocate(nullptr, none);
    old.rules.prepare_create_object(old.get());
    Loaded sent(each["sent"]);
    sent.come_in();
    Problems problems;
    sent.allocate(&old, problems);
    if (problems.empty()) {
      sent.rules.prepare_update_object(sent.get(), old.get());
      sent.rules.validate_update_object(sent.get(), old.get(), problems);
    }
    EXPECT_EQ(texts_of(problems), texts_of(each["problems"]));
  }
}

}  // namespace
}  // namespace flyball::apiserver
