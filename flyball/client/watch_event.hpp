// WatchEvent: one thing a watch has to say. What it means for somebody who keeps a copy:
//
//   resync_begin   everything there is comes now, as `added`; mark what comes
//   added          there is this object: put it in, whether it was there or not
//   modified       it has changed
//   deleted        it has gone; the object is its last state, with the version of its end
//   bookmark       nothing has changed up to this version: a good place to resume from
//   synced         all of it has come: what was not marked since resync_begin has gone
//
// A resync comes first, unless the watch was told where to begin, and again when the server no longer has the history
// to go on. Between resync_begin and synced real changes may come too. A resync that is cut short begins anew with
// another resync_begin.
//
// The object is in the bytes it came in. as<T>() decodes it, when asked; to_json() does so without a type.
//
// Thread-safety: a value. Lifetime: the views are good until the watch is asked for its next event.
#pragma once

#include <cstdint>
#include <string_view>

#include "flyball/client/watch_decoder.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/metadata.hpp"
#include "flyball/kube/resource_key.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::client {

struct WatchEvent {
  enum class Kind : std::uint8_t { resync_begin, added, modified, deleted, bookmark, synced };

  Kind kind = Kind::added;
  Format format = Format::json;
  std::string_view object = {};            // of added, modified and deleted
  kube::Metadata metadata = {};            // of the same, always with apiVersion and kind
  std::string_view resource_version = {};  // of the object; where the watch stands with bookmark and synced

  kube::ObjectKey key() const { return {std::string(metadata.namespace_), std::string(metadata.name)}; }

  // Throws InputError or reflect::DecodeError when the object does not fit.
  template <class T>
  T as() const {
    T value{};
    decode(reflect::type_of<T>(), &value);
    return value;
  }
  void decode(const reflect::Type& type, void* to) const;
};

std::string_view to_string(WatchEvent::Kind kind) noexcept;

// The object as dynamic JSON with its apiVersion and kind. Brings the tables of all built-in kinds along, for protobuf.
json::Value to_json(const WatchEvent& event);

}  // namespace flyball::client
