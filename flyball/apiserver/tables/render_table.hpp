// The Table that a client gets instead of the objects it asked for: what `kubectl get` prints.
//
//   const TableOptions options{.version = accept.version, .include = include_object(call.query["includeObject"]),
//                              .now = clock.wall_now()};
//   const KindTable& kind = find_table("", "v1", "Pod");
//   json::Value one = render_table(kind, pod, options);
//   json::Value list = render_table(kind, pods, {.resourceVersion = "812"}, options);
//
// A watch gives one Table per event. Only its first event tells the columns: later ones are rendered with
// `.headers = false`. An ERROR event is a Status and stays one. A bookmark is a row like any other, of an object that
// has nothing but its metadata; the one that ends the initial events keeps its metadata whatever is asked for, for
// clients read the annotation there.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "flyball/apiserver/tables/table.hpp"

namespace flyball::apiserver {

// What a row carries of its object.
enum class IncludeObject : std::uint8_t { none, metadata, object };

// The parameter includeObject; empty means metadata. Throws ApiError, BadRequest, for another word.
IncludeObject include_object(std::string_view word);

struct TableOptions {
  std::string_view version = "v1";  // of meta.k8s.io: v1 or v1beta1
  IncludeObject include = IncludeObject::metadata;
  bool headers = true;
  WallTime now = {};
};

// The metadata of a list.
struct TableMeta {
  std::string resourceVersion = {};
  std::string continue_ = {};
  std::optional<std::int64_t> remainingItemCount = {};
};

// Of one object, or of the object of a watch event.
json::Value render_table(const KindTable& kind, json::View object, const TableOptions& options);
// Of a list.
json::Value render_table(const KindTable& kind, std::span<const json::Value> objects, const TableMeta& meta,
                         const TableOptions& options);

}  // namespace flyball::apiserver
