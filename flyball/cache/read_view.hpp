// ReadView: reads that do not change under the reader. What it reads of a kind is of one moment, plus what this very
// reader wrote since.
//
//   ReadView view = cache.view();
//   const auto map = view.find<core::ConfigMap>({"shop", "settings"});
//   const auto pods = view.list<core::Pod>({.owner = set.metadata.uid});
//   view.each<core::Pod>({}, [](const Object& pod) { use(pod.metadata()); });     // decodes the metadata alone
//   view.observe_write(client.apply(deployment));                                 // from here on, it sees that
//
// A kind that has several scopes is read from the widest.
//
// Keep it for a reconcile, not for an hour: what changes meanwhile is kept twice.
//
// Errors: Error for a kind that nobody watches; get() throws ApiError, is_not_found().
// Thread-safety: one thread at a time. Lifetime: the cache outlives it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/cache/byte_store.hpp"
#include "flyball/cache/query.hpp"
#include "flyball/client/resource.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::cache {

namespace detail {
class KindStore;
}
class Cache;

class ReadView {
 public:
  ReadView(ReadView&&) noexcept;
  ReadView& operator=(ReadView&&) noexcept;
  ~ReadView();

  template <class T>
  T get(const kube::ObjectKey& key) {
    auto found = find<T>(key);
    if (!found) not_found(client::resource_of<T>(), key);
    return std::move(*found);
  }
  template <class T>
  std::optional<T> find(const kube::ObjectKey& key) {
    const auto object = find(client::resource_of<T>(), key);
    if (!object) return std::nullopt;
    return object->template as<T>();
  }
  // In the order of namespaces and names.
  template <class T>
  std::vector<T> list(const Query& query = {}) {
    std::vector<T> all;
    const reflect::Type& type = reflect::type_of<T>();
    // Decoded where they stay: some kinds are kilobytes before anything is in them.
    at(client::resource_of<T>())
        .each(
            query, [&](const Object& object) { object.decode(type, &all.emplace_back()); },
            [&](std::size_t count) { all.reserve(count); });
    return all;
  }
  template <class T>
  void each(const Query& query, const std::function<void(const Object&)>& use) {
    each(client::resource_of<T>(), query, use);
  }
  template <class T>
  std::vector<kube::ObjectKey> keys(const Query& query = {}) {
    return keys(client::resource_of<T>(), query);
  }

  // Of any kind.
  std::optional<Object> find(const client::Resource& resource, const kube::ObjectKey& key);
  void each(const client::Resource& resource, const Query& query, const std::function<void(const Object&)>& use);
  std::vector<kube::ObjectKey> keys(const client::Resource& resource, const Query& query);

  // What the server answered to a write: it is seen by this view, and by whoever reads after it, until the watch has
  // come to its version.
  template <class T>
  void observe_write(const T& answer) {
    const reflect::Type& type = reflect::type_of<T>();
    if (type.proto != nullptr) {
      observe_write(client::resource_of<T>(), Format::protobuf, kube::encode_message(type, &answer));
    } else {
      observe_write(client::resource_of<T>(), Format::json, reflect::encode(answer));
    }
  }
  // Bytes as in Object::bytes().
  void observe_write(const client::Resource& resource, Format format, std::string_view bytes);
  // An object that was deleted and is gone, as it was last. (One with finalizers is not gone: its delete is answered
  // with the object, which is a write.)
  template <class T>
  void observe_delete(const T& last) {
    observe_delete(client::resource_of<T>(), {last.metadata.namespace_, last.metadata.name}, last.metadata.uid,
                   last.metadata.resourceVersion);
  }
  void observe_delete(const client::Resource& resource, const kube::ObjectKey& key, std::string_view uid,
                      std::string_view resource_version);

 private:
  friend class Cache;
  struct Pinned {
    std::shared_ptr<detail::KindStore> store;
    Snapshot snapshot;
    bool read = false;  // it is the one that reads of its kind go to
  };

  explicit ReadView(const Cache& cache) : cache_(&cache) {}
  // Throws Error when nobody watches that kind.
  Snapshot& at(const client::Resource& resource);
  Pinned& pin(std::shared_ptr<detail::KindStore> store);
  [[noreturn]] static void not_found(const client::Resource& resource, const kube::ObjectKey& key);

  const Cache* cache_;
  bool only_own_ = false;  // reads go to what was pinned at the beginning
  std::vector<Pinned> pinned_;
};

}  // namespace flyball::cache
