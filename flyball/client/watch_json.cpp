// Apart from watch_event.cpp: a typed program does not link the tables of all kinds.
#include "flyball/client/watch_event.hpp"
#include "flyball/client/wire.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"

namespace flyball::client {

json::Value to_json(const WatchEvent& event) {
  const kube::Metadata& metadata = event.metadata;
  if (event.format == Format::protobuf) {
    return kube::protobuf_to_json(
        kube::seal_envelope({.api_version = metadata.api_version, .kind = metadata.kind, .object = event.object}));
  }
  return with_kind(json::parse(event.object, {.duplicates = json::Duplicates::last_wins}),
                   kube::GroupVersionKind::parse(metadata.api_version, metadata.kind));
}

}  // namespace flyball::client
