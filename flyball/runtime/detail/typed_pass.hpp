// One pass over one object of a C++ type: read it, keep its finalizer, call the user's function, write its status.
// Private to the room.
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "flyball/kube/conditions.hpp"
#include "flyball/reflect/encode.hpp"
#include "flyball/runtime/context.hpp"
#include "flyball/runtime/terminal.hpp"

namespace flyball::runtime::detail {

inline constexpr const char* kStalled = "Stalled";

template <class T>
struct Functions {
  std::function<void(Context&, T&)> reconcile = {};
  std::function<bool(Context&, T&)> cleanup = {};  // true: done
  std::string finalizer = {};
  std::function<void(Context&, T&)> while_going = {};
};

template <class T>
concept HasStatus = requires(T& object) { object.status; };
template <class T>
concept HasConditions = requires(T& object) {
  { object.status.conditions } -> std::same_as<kube::Conditions&>;
};

bool has_finalizer(const kube::meta::v1::ObjectMeta& metadata, const std::string& finalizer);

template <class T>
class TypedPass {
 public:
  TypedPass(Context& context, const Functions<T>& functions)
      : pass_(context.pass_), context_(context), functions_(functions) {}

  void run() {
    const client::Resource& resource = client::resource_of<T>();
    const auto stored = pass_.find(resource, pass_.key().object());
    if (!stored) return pass_.set_absent();
    T object = stored->template as<T>();
    pass_.set_owner(kube::object_ref(object));
    if (object.metadata.deletionTimestamp) {
      if (!functions_.while_going) return clean_up(object);
      return reconcile(functions_.while_going, std::move(object), [&] { return stored->template as<T>(); });
    }
    if (functions_.cleanup && !has_finalizer(object.metadata, functions_.finalizer)) {
      const T with = add_finalizer(object);
      return reconcile(functions_.reconcile, with, [&]() -> const T& { return with; });
    }
    reconcile(functions_.reconcile, std::move(object), [&] { return stored->template as<T>(); });
  }

 private:
  // Most passes change nothing: what was read is kept as it came, and decoded once more for those that do.
  template <class AsRead>
  void reconcile(const std::function<void(Context&, T&)>& function, T object, AsRead as_read) {
    const auto before = status_of(object);
    const std::int64_t generation = object.metadata.generation;
    try {
      function(context_, object);
    } catch (const Terminal& error) {
      if constexpr (HasConditions<T>) {
        T stalled = as_read();
        stalled.status.conditions.set(kStalled, true, error.reason(), error.what());
        write_status(as_read(), stalled);
      }
      throw;
    }
    if constexpr (HasStatus<T>) {
      if constexpr (HasConditions<T>) {
        object.status.conditions.remove(kStalled);
        stamp(object, generation);
      }
      if (!is_same(before, object.status)) write_status(as_read(), object);
    }
  }

  void clean_up(const T& read) {
    if (!functions_.cleanup || !has_finalizer(read.metadata, functions_.finalizer)) return;
    T object = read;
    const bool done = functions_.cleanup(context_, object);
    if (!done) return write_status(read, object);
    T without = read;
    std::erase(without.metadata.finalizers, functions_.finalizer);
    const T answer = pass_.client().update(read, without);
    if (answer.metadata.finalizers.empty()) {
      pass_.set_absent();
      return pass_.gone(client::resource_of<T>(), answer.metadata);
    }
    pass_.wrote("finalizer", client::resource_of<T>(), answer);
  }

  T add_finalizer(const T& read) {
    T with = read;
    with.metadata.finalizers.push_back(functions_.finalizer);
    T answer = pass_.client().update(read, with);
    pass_.wrote("finalizer", client::resource_of<T>(), answer);
    return answer;
  }

  static auto status_of(const T& object) {
    if constexpr (HasStatus<T>) {
      return object.status;
    } else {
      return nullptr;
    }
  }
  template <class Status>
  static bool is_same(const Status& a, const Status& b) {
    return reflect::equal(reflect::type_of<Status>(), &a, &b);
  }
  void stamp(T& object, std::int64_t generation) const {
    object.status.conditions.stamp(kube::Time(pass_.clock().wall_now()), generation);
  }

  void write_status(const T& read, T& object) {
    if constexpr (HasStatus<T>) {
      if (!client::resource_of<T>().status) return;
      if constexpr (HasConditions<T>) stamp(object, read.metadata.generation);
      // Only the status: whatever else the function did to its copy stays there.
      T changed = read;
      changed.status = std::move(object.status);
      const T answer = pass_.client().update_status(read, changed);
      if (answer.metadata.resourceVersion == read.metadata.resourceVersion) return;
      pass_.wrote("status", client::resource_of<T>(), answer);
    }
  }

  Pass& pass_;
  Context& context_;
  const Functions<T>& functions_;
};

}  // namespace flyball::runtime::detail
