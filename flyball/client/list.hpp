// Lists, as lazy ranges of pages: a page is asked for when its first item is, and is gone before the next one comes.
// What is held at any time is one page as it came and one decoded object.
//
//   for (const core::Pod& pod : client.list<core::Pod>({.namespace_ = "default"})) use(pod);
//
//   auto pods = client.list<core::Pod>();
//   std::vector<core::Pod> all = pods.all();             // held all at once; starts over when the token expires
//   pods.resource_version();                             // of the list: where a watch goes on
//
// A range is passed over once. All pages show the objects at one moment, the one of the first page, unless
// `on_expired` says otherwise.
//
// Errors are those of a get. Thread-safety: none; a list belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyball/base/stop.hpp"
#include "flyball/client/engine.hpp"
#include "flyball/client/options.hpp"
#include "flyball/client/resource.hpp"
#include "flyball/client/wire.hpp"
#include "flyball/kube/meta/v1.hpp"

namespace flyball::client {

// The items of a list as bytes: what a cache stores. List<T> below decodes them.
class ListReader {
 public:
  ListReader(std::shared_ptr<Engine> engine, Resource resource, Extent extent, ListOptions options, Stop stop);
  ~ListReader();
  ListReader(ListReader&&) noexcept;
  ListReader& operator=(ListReader&&) noexcept;

  // The next item: a protobuf message without an envelope, or JSON; nothing at the end. Good until the next call.
  std::optional<std::string_view> next();
  // Of the item that next() gave.
  Format format() const;
  // The same, decoded. `to` must be as its initialisers leave it. False at the end.
  bool next(const reflect::Type& type, void* to);

  // Of the page that came last; asks for the first when none has.
  const kube::meta::v1::ListMeta& metadata();
  // To the beginning, to read everything anew, all in one page when told so.
  void start_over(bool in_one_page);

 private:
  struct Page;
  void fetch();
  net::Request request() const;
  Answer ask();
  bool wants_protobuf() const;

  std::shared_ptr<Engine> engine_;
  Resource resource_;
  Extent extent_;
  ListOptions options_;
  Stop stop_;
  kube::meta::v1::ListMeta metadata_;
  std::unique_ptr<Page> page_;
  bool begun_ = false;
};

template <class T>
class List {
 public:
  explicit List(ListReader reader) : reader_(std::move(reader)) {}

  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = T*;
    using reference = T&;

    iterator() = default;
    explicit iterator(List& list) : list_(&list) { ++*this; }
    T& operator*() const { return *list_->current_; }
    T* operator->() const { return &*list_->current_; }
    iterator& operator++() {
      if (!list_->advance()) list_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    List* list_ = nullptr;
  };

  // Once.
  iterator begin() { return iterator(*this); }
  iterator end() { return {}; }

  // Everything that has not been passed over yet, which is everything on a new list: then an expired token makes it
  // start over, so that what is returned is of one moment.
  std::vector<T> all();

  // As of the page that came last; asks for the first when none has.
  const kube::meta::v1::ListMeta& metadata() { return reader_.metadata(); }
  const std::string& resource_version() { return reader_.metadata().resourceVersion; }

 private:
  bool advance() {
    current_.emplace();
    return reader_.next(reflect::type_of<T>(), &*current_);
  }

  ListReader reader_;
  std::optional<T> current_;
};

template <class T>
std::vector<T> List<T>::all() {
  const bool fresh = !current_.has_value();
  std::vector<T> items;
  try {
    while (advance()) items.push_back(std::move(*current_));
    return items;
  } catch (const ApiError& error) {
    if (!fresh || !error.is_expired()) throw;
  }
  items.clear();
  reader_.start_over(true);
  while (advance()) items.push_back(std::move(*current_));
  return items;
}

}  // namespace flyball::client
