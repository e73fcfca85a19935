// ListPage: the bytes of a list become items, one at a time, in the format they came in. Private to the room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "flyball/client/detail/pulled_items.hpp"
#include "flyball/client/watch_decoder.hpp"
#include "flyball/json/split.hpp"
#include "flyball/kube/meta/v1.hpp"
#include "flyball/kube/protobuf_split.hpp"

namespace flyball::client::detail {

class ListPage {
 public:
  ListPage(Format format, std::size_t limit)
      : format_(format), splitter_(json::ListSplitter("items", {.size = limit})) {
    if (format == Format::protobuf) splitter_ = kube::ListSplitter(limit);
  }

  Format format() const noexcept { return format_; }

  void feed(std::string chunk) {
    items_.feed(std::move(chunk), [this](std::string_view bytes, const auto& each) {
      std::visit([&](auto& splitter) { splitter.feed(bytes, each); }, splitter_);
    });
  }
  bool next(std::string_view& item) { return items_.next(item); }

  // The body has ended: the list's own metadata.
  kube::meta::v1::ListMeta finish() const {
    if (const auto* list = std::get_if<kube::ListSplitter>(&splitter_)) return list->finish();
    const json::Value list = std::get<json::ListSplitter>(splitter_).finish();
    return {.resourceVersion = std::string(list["metadata"]["resourceVersion"].string_or("")),
            .continue_ = std::string(list["metadata"]["continue"].string_or(""))};
  }

 private:
  const Format format_;
  std::variant<json::ListSplitter, kube::ListSplitter> splitter_;
  PulledItems items_;
};

}  // namespace flyball::client::detail
