// ReconcileBuilder: says what belongs to a reconcile. Operator::reconcile gives one.
//
//   op.reconcile<Memcached>(reconcile)
//       .owns<apps::Deployment>()                        // children: applied, watched, deleted with their owner
//       .reads<core::Pod>()                              // read from the cache; a change wakes who read it
//       .cleanup(release_storage)                        // before the object goes: by a finalizer that is not yours to
//       do .concurrency(8);
//
// Everything a pass reads or writes is declared: that is what the cache watches, and what the operator's permissions
// are made of.
//
// A reconcile is any function of (Context&, T&). A cleanup too; one that gives a bool says with false that it is not
// done yet: it runs again when something it read changes, or after Context::requeue_after.
//
// Thread-safety: before the operator runs, one thread. Lifetime: the operator outlives it.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "flyball/runtime/controller_spec.hpp"
#include "flyball/runtime/detail/typed_pass.hpp"

namespace flyball::runtime {

template <class Derived>
class ControllerBuilder {
 public:
  // Kinds that are read. Within a scope the server sends only what is asked for: {.labels = {{"app", "web"}}}.
  template <class U>
  Derived& reads(cache::Scope scope = {}) {
    spec_->source(client::resource_of<U>(), std::move(scope));
    return self();
  }
  // Objects to reconcile when one of these changes, for what remembered reads cannot see.
  template <class U>
  Derived& watches(Map map, Predicate when = {}) {
    Source& source = spec_->source(client::resource_of<U>());
    source.maps.push_back([map = std::move(map), when = std::move(when)](const cache::Change& change) {
      return !when || when(change) ? map(change) : std::vector<kube::ObjectKey>();
    });
    return self();
  }
  // Permissions beyond those: may("", "pods/eviction", {Verb::create}).
  Derived& may(std::string group, std::string resource, std::set<Verb> verbs, bool namespaced = true) {
    spec_->extra_rules.push_back({std::move(group), std::move(resource), std::move(verbs), namespaced});
    return self();
  }

  // Passes at once, over different objects. Default: the operator's --concurrency.
  Derived& concurrency(std::uint32_t passes) {
    spec_->concurrency = passes;
    return self();
  }
  // What a pass may take; its requests end then, and Context::stop(). Default: 5 minutes.
  Derived& timeout(Duration most) {
    spec_->timeout = most;
    return self();
  }
  // Passes on every replica, also on those that do not lead: for what each does for itself, or only reads. Its writes
  // are not fenced.
  Derived& without_leader() {
    spec_->needs_leader = false;
    return self();
  }
  // The name in metrics and logs. Default: the kind in lower case.
  Derived& name(std::string name) {
    spec_->name = std::move(name);
    return self();
  }
  // Wakes objects for reasons from outside the cluster.
  Trigger trigger() {
    spec_->triggers.push_back(std::make_shared<detail::TriggerState>());
    return Trigger(spec_->triggers.back());
  }

 protected:
  ControllerSpec& spec() const { return *spec_; }

 private:
  friend Derived;
  explicit ControllerBuilder(ControllerSpec& spec) : spec_(&spec) {}

  Derived& self() { return static_cast<Derived&>(*this); }
  ControllerSpec* spec_;
};

template <class T>
class ReconcileBuilder : public ControllerBuilder<ReconcileBuilder<T>> {
 public:
  ReconcileBuilder(ControllerSpec& spec, std::shared_ptr<detail::Functions<T>> functions)
      : ControllerBuilder<ReconcileBuilder<T>>(spec), functions_(std::move(functions)) {}

  // Children: what a pass applies, creates and deletes. Their changes wake their owner.
  template <class U>
  ReconcileBuilder& owns(cache::Scope scope = {}) {
    this->spec().source(client::resource_of<U>(), std::move(scope)).owned = true;
    return *this;
  }
  // For objects that somebody has deleted and that are held by finalizers of others (foreground deletion): their status
  // still tells the truth. Not together with a cleanup, which is called then.
  template <class F>
    requires std::invocable<F&, Context&, T&>
  ReconcileBuilder& while_going(F function) {
    functions_->while_going = std::move(function);
    return *this;
  }
  // What is to be done before an object goes. With it, and only then, objects get a finalizer.
  template <class F>
    requires std::invocable<F&, Context&, T&>
  ReconcileBuilder& cleanup(F function) {
    functions_->cleanup = [function = std::move(function)](Context& context, T& object) mutable {
      if constexpr (std::same_as<std::invoke_result_t<F&, Context&, T&>, bool>) {
        return static_cast<bool>(function(context, object));
      } else {
        function(context, object);
        return true;
      }
    };
    this->spec().has_cleanup = true;
    return *this;
  }
  // The kind belongs to somebody else, who brings its definition.
  ReconcileBuilder& external() {
    this->spec().definition = nullptr;
    return *this;
  }
  // Which changes of the object itself are worth a pass: predicates.hpp.
  ReconcileBuilder& when(Predicate predicate) {
    this->spec().source(client::resource_of<T>()).when = std::move(predicate);
    return *this;
  }
  // Which objects are reconciled at all; the server sends no others. {.labels = {{"tier", "gold"}}}
  ReconcileBuilder& scope(cache::Scope scope) {
    this->spec().source(client::resource_of<T>(), std::move(scope));
    return *this;
  }

 private:
  std::shared_ptr<detail::Functions<T>> functions_;
};

// A controller on keys that mean what its maps make them mean: Operator::control.
class ControlBuilder : public ControllerBuilder<ControlBuilder> {
 public:
  explicit ControlBuilder(ControllerSpec& spec) : ControllerBuilder(spec) {}
  // Kinds that a pass writes.
  template <class U>
  ControlBuilder& writes(cache::Scope scope = {}) {
    spec().source(client::resource_of<U>(), std::move(scope)).owned = true;
    return *this;
  }
};

}  // namespace flyball::runtime
