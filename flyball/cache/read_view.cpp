#include "flyball/cache/read_view.hpp"

#include <algorithm>

#include "flyball/base/api_error.hpp"
#include "flyball/cache/cache.hpp"
#include "flyball/cache/detail/kind_store.hpp"

namespace flyball::cache {

ReadView::ReadView(ReadView&&) noexcept = default;
ReadView& ReadView::operator=(ReadView&&) noexcept = default;
ReadView::~ReadView() = default;

ReadView::Pinned& ReadView::pin(std::shared_ptr<detail::KindStore> store) {
  const auto found = std::ranges::find(pinned_, store, &Pinned::store);
  if (found != pinned_.end()) return *found;
  Snapshot snapshot = store->store().snapshot();
  return pinned_.emplace_back(Pinned{std::move(store), std::move(snapshot)});
}

Snapshot& ReadView::at(const client::Resource& resource) {
  for (Pinned& pinned : pinned_) {
    if (pinned.read && pinned.store->resource().plural == resource.plural &&
        pinned.store->resource().kind == resource.kind) {
      return pinned.snapshot;
    }
  }
  auto stores = only_own_ ? Cache::Stores() : cache_->stores_of(resource);
  if (stores.empty()) {
    throw Error("nothing watches " + resource.kind.api_version() + " " + resource.kind.kind +
                ": declare that it is read (reads<T>() of a controller, or cache.watch<T>()) before reading it");
  }
  Pinned& pinned = pin(std::move(stores.front()));
  pinned.read = true;
  return pinned.snapshot;
}

std::optional<Object> ReadView::find(const client::Resource& resource, const kube::ObjectKey& key) {
  return at(resource).find(key);
}

void ReadView::each(const client::Resource& resource, const Query& query,
                    const std::function<void(const Object&)>& use) {
  at(resource).each(query, use);
}

std::vector<kube::ObjectKey> ReadView::keys(const client::Resource& resource, const Query& query) {
  return at(resource).keys(query);
}

void ReadView::observe_write(const client::Resource& resource, Format format, std::string_view bytes) {
  const kube::Metadata metadata = format == Format::json ? kube::metadata_of(bytes) : kube::metadata_of_message(bytes);
  for (auto& store : cache_->stores_of(resource)) {
    const std::uint64_t writer = pin(store).snapshot.id();
    store->observe_write({.format = format, .bytes = bytes, .metadata = &metadata}, writer);
  }
}

void ReadView::observe_delete(const client::Resource& resource, const kube::ObjectKey& key, std::string_view uid,
                              std::string_view resource_version) {
  for (auto& store : cache_->stores_of(resource)) {
    const std::uint64_t writer = pin(store).snapshot.id();
    store->observe_delete(key, uid, resource_version, writer);
  }
}

void ReadView::not_found(const client::Resource& resource, const kube::ObjectKey& key) {
  const std::string what = resource.kind.group.empty() ? resource.plural : resource.plural + "." + resource.kind.group;
  throw ApiError(Reason::NotFound, what + " \"" + key.name + "\" not found in the cache" +
                                       (key.namespace_.empty() ? "" : " of namespace " + key.namespace_));
}

}  // namespace flyball::cache
