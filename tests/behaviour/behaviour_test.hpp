// What the cases share: a kind, a place to write down what happened, and short words for what people do.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "world.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/mutex.hpp"
#include "flyball/flyball.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/events/v1.hpp"

namespace flyball::behaviour {

namespace core = kube::core::v1;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

struct BoxSpec {
  std::string text = "hello";
  std::string settings = {};
};
FLYBALL_DESCRIBE(BoxSpec, (text, "What its child says."), (settings, "The ConfigMap it looks at."))

struct BoxStatus {
  std::string seen = {};
  Conditions conditions = {};
};
FLYBALL_DESCRIBE(BoxStatus, (seen, "What the last pass saw."), (conditions, "How it stands."))

using Box = CustomResource<"behaviour.example.com", "v1", "Box", BoxSpec, BoxStatus>;

// What passes say of themselves, from any thread.
class Journal {
 public:
  void add(const std::string& line) {
    const MutexLock lock(mutex_);
    lines_.push_back(line);
  }
  std::vector<std::string> lines() const {
    const MutexLock lock(mutex_);
    return lines_;
  }
  std::size_t count(const std::string& line) const {
    const auto all = lines();
    return static_cast<std::size_t>(std::ranges::count(all, line));
  }
  std::vector<std::string> take() {
    const MutexLock lock(mutex_);
    return std::exchange(lines_, {});
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> lines_ FLYBALL_GUARDED_BY(mutex_);
};

struct Behaviour : ::testing::Test {
  // Declares an operator and starts it.
  void begin(const World::Setup& setup, WorldOptions options = {}) {
    world->declare(setup, std::move(options));
    world->start();
  }

  const Client& person() { return world->person(); }
  Box make_box(const std::string& name, BoxSpec spec = {}) {
    return person().create(Box{.metadata = {.name = name, .namespace_ = world->ns()}, .spec = std::move(spec)});
  }
  template <class Change>
  void edit_box(const std::string& name, Change&& change) {
    person().edit<Box>(key(name), std::forward<Change>(change));
  }
  Box box(const std::string& name) { return person().get<Box>(key(name)); }

  core::ConfigMap make_map(const std::string& name, std::map<std::string, std::string> data, Labels labels = {}) {
    return person().create(core::ConfigMap{
        .metadata = {.name = name, .namespace_ = world->ns(), .labels = std::move(labels)}, .data = std::move(data)});
  }
  void edit_map(const std::string& name, const std::string& is) {
    person().edit<core::ConfigMap>(key(name), [&](core::ConfigMap& map) { map.data["is"] = is; });
  }
  // What a ConfigMap says; nothing when there is none.
  std::string map_says(const std::string& name) {
    const auto map = person().find<core::ConfigMap>(key(name));
    return map && map->data.contains("is") ? map->data.at("is") : "";
  }

  kube::ObjectKey key(const std::string& name) const { return {world->ns(), name}; }
  // The passes over a box, the latest first.
  std::vector<runtime::ReconcileRecord> passes(const std::string& name) {
    return world->run().controller("box").history().of({.namespace_ = world->ns(), .name = name});
  }
  std::string explain(const std::string& name) {
    return world->run().controller("box").history().explain({.namespace_ = world->ns(), .name = name});
  }
  // "Warning ReconcileFailed: …", of the namespace of the case.
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    for (const auto& event : person().list<kube::events::v1::Event>({.namespace_ = world->ns()})) {
      texts.push_back(event.type + " " + event.reason + ": " + event.note);
    }
    return texts;
  }
  // A line of the metrics: metric("controller_runtime_reconcile_total{controller=\"box\",result=\"error\"}").
  double metric(const std::string& name) {
    const std::string text = "\n" + world->metrics().text();
    const auto at = text.find("\n" + name + " ");
    return at == std::string::npos ? 0 : std::stod(text.substr(at + name.size() + 2));
  }

  Journal journal;
  std::unique_ptr<World> world = make_world();
};

// A child that says what the box says.
inline core::ConfigMap child_of(const Box& box) {
  return {.metadata = {.name = box.metadata.name + "-child"}, .data = {{"is", box.spec.text}}};
}

}  // namespace flyball::behaviour
