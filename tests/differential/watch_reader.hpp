// WatchReader: the events of an open watch, whole and as JSON, whatever format they come in.
//
//   WatchReader reader(transport.open({.target = "/api/v1/pods?watch=1"}, stop));
//   while (std::optional<json::Value> event = reader.next(stop)) use((*event)["type"], (*event)["object"]);
//
// Thread-safety: none.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "flyball/client/transport.hpp"
#include "flyball/json/split.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/protobuf_split.hpp"

namespace flyball::differential {

class WatchReader {
 public:
  explicit WatchReader(std::unique_ptr<client::BodyStream> stream);

  // Waits for it; nothing at the end of the stream.
  std::optional<json::Value> next(const Stop& stop);

 private:
  void take(std::string_view frame);

  const std::unique_ptr<client::BodyStream> stream_;
  const bool protobuf_;
  json::DocumentSplitter documents_;
  kube::FrameSplitter frames_;
  std::deque<json::Value> events_;
};

}  // namespace flyball::differential
