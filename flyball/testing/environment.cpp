#include "flyball/testing/environment.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "flyball/json/yaml.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::testing {
namespace {

constexpr std::uint64_t kSeed = 1;

}  // namespace

Environment::Environment(const Setup& setup, EnvironmentOptions options)
    : options_(std::move(options)),
      clock_({.auto_advance = true}),
      me_(clock_, "test"),
      random_(options_.seed.value_or(kSeed)),
      order_(random_.fork()),
      log_(std::make_shared<LogCore>(clock_, sink_, LogCore::Options{.levels = "debug"}), "testing"),
      server_(clock_, {.seed = options_.seed.value_or(kSeed)}),
      transport_(server_.transport(), clock_, random_),
      client_(transport_, clock_, random_, {.field_manager = "operator", .log = log_.in_room("client")}),
      operator_("operator") {
  me_.bind();
  setup(operator_);
  if (options_.install) {
    for (const json::Value& definition : operator_.definitions()) {
      client().dynamic({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}).create(definition);
    }
    client().mapper().forget();
  }
  transport_.set_faults(options_.faults);
  if (options_.seed) transport_.set_meanwhile([this] { meanwhile(); });
  if (options_.start) start();
}

Environment::~Environment() = default;

void Environment::apply(std::string_view yaml) {
  for (const json::Value& document : json::parse_yaml_documents(yaml)) {
    const auto kind =
        kube::GroupVersionKind::parse(document["apiVersion"].string_or(""), document["kind"].string_or(""));
    client().dynamic(kind).apply(document, {.field_manager = "person"});
    if (kind.kind == "CustomResourceDefinition") client().mapper().forget();
  }
}

void Environment::make_namespace(const std::string& name) {
  client().create(kube::core::v1::Namespace{.metadata = {.name = name}});
}

std::size_t Environment::collect_garbage() {
  using kube::meta::v1::PartialObjectMetadata;
  std::set<std::string> alive;
  std::vector<std::pair<client::Resource, PartialObjectMetadata>> owned;
  std::set<std::string> seen;
  for (const auto& controller : operator_.controllers()) {
    for (const runtime::Source& source : controller->sources) {
      if (!seen.insert(source.resource.resource().to_string()).second) continue;
      for (const PartialObjectMetadata& object : client().metadata_at(source.resource).list()) {
        alive.insert(object.metadata.uid);
        if (!object.metadata.ownerReferences.empty()) owned.emplace_back(source.resource, object);
      }
    }
  }
  const auto is_garbage = [&](const PartialObjectMetadata& object) {
    return std::ranges::none_of(object.metadata.ownerReferences,
                                [&](const auto& owner) { return alive.contains(owner.uid); });
  };
  std::size_t gone = 0;
  for (const auto& [resource, object] : owned) {
    if (!is_garbage(object)) continue;
    const kube::ObjectKey key{object.metadata.namespace_, object.metadata.name};
    client().dynamic_at(resource).delete_(key, {.uid = object.metadata.uid, .missing_is_fine = true});
    ++gone;
  }
  // What those owned is garbage now.
  return gone == 0 ? 0 : gone + collect_garbage();
}

void Environment::start() {
  runtime::OperatorRunOptions options = options_.run;
  options.threads = false;
  options.order = options_.seed ? &order_ : nullptr;
  options.log = log_;
  options.metrics = &metrics_;
  run_.reset();
  run_ = std::make_unique<runtime::OperatorRun>(operator_, client_, clock_, random_, std::move(options));
  run_->start();
}

void Environment::crash() { run_.reset(); }

void Environment::end() {
  run().end();
  run_.reset();
}

void Environment::meanwhile() {
  if (run_ == nullptr || !order_.chance(0.3)) return;
  if (meanwhile_) meanwhile_();
  for (auto events = order_.below(4); events > 0 && run_->step_watches({}); --events) {
  }
}

bool Environment::step() { return run_ != nullptr && run_->step({}); }

void Environment::settle() {
  for (std::size_t steps = 0; step(); ++steps) {
    if (steps > options_.most_steps) {
      throw Error("the operator does not come to rest: after " + std::to_string(steps) +
                  " steps it still has something to do. What it did last:\n" + what_it_did_last());
    }
  }
}

void Environment::advance(Duration time) {
  const TimePoint end = clock_.after(time);
  settle();
  while (clock_.now() < end) {
    const TimePoint due = run_ == nullptr ? end : std::min(end, run_->next_due());
    if (due > clock_.now()) {
      clock_.jump(due - clock_.now());
    } else {
      // It is due, and did nothing: it waits for something else.
      clock_.jump(std::min<Duration>(end - clock_.now(), std::chrono::seconds(1)));
    }
    settle();
  }
}

runtime::OperatorRun& Environment::run() {
  if (run_ == nullptr) throw Error("the operator does not run: start() it");
  return *run_;
}

std::vector<runtime::RecordedWrite> Environment::writes_of_a_second_pass() {
  settle();
  std::vector<runtime::RecordedWrite> writes;
  for (const auto& controller : run().controllers()) {
    if (!controller->spec().primary) continue;
    const client::Resource& resource = *controller->spec().primary;
    for (const kube::ObjectKey& key : run().cache().view().keys(resource, {})) {
      const runtime::Key one{.namespace_ = key.namespace_, .name = key.name};
      controller->queue().add(one, {.reason = "second pass"});
      settle();
      const auto pass = controller->history().latest(one);
      if (!pass) throw Error("the second pass over " + one.to_string() + " did not run");
      for (const runtime::RecordedWrite& write : pass->writes) {
        if (write.changed) writes.push_back(write);
      }
    }
  }
  return writes;
}

std::vector<std::string> Environment::events() {
  auto all = list<kube::events::v1::Event>();
  std::ranges::stable_sort(all, {}, [](const auto& event) { return event.eventTime; });
  std::vector<std::string> texts;
  texts.reserve(all.size());
  for (const auto& event : all) texts.push_back(event.type + " " + event.reason + ": " + event.note);
  return texts;
}

std::string Environment::explain(std::string_view controller, const runtime::ObjectName& name) {
  const kube::ObjectKey key = name.in("default");
  return run().controller(controller).history().explain({.namespace_ = key.namespace_, .name = key.name});
}

std::string Environment::what_it_did_last() {
  constexpr std::size_t kMost = 4000;
  std::string log = take_log();
  return log.size() > kMost ? "…" + log.substr(log.size() - kMost) : log;
}

}  // namespace flyball::testing
