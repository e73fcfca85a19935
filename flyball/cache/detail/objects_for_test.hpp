// Objects to put into stores, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "flyball/cache/byte_store.hpp"
#include "flyball/kube/labels.hpp"

namespace flyball::cache::detail {

struct Made {
  std::string namespace_ = "shop";
  std::string name = "web";
  std::uint64_t version = 1;
  Labels labels = {};
  std::vector<std::string> owners = {};  // uids
  std::string uid = {};                  // empty: made from the name
  std::string data = {};
  std::string node = {};
  bool going = false;  // it waits for its end
};

inline std::string json_of(const Made& made) {
  std::string text = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + made.name +
                     R"(","namespace":")" + made.namespace_ + R"(","uid":")" +
                     (made.uid.empty() ? "uid-" + made.name : made.uid) + R"(","resourceVersion":")" +
                     std::to_string(made.version) + "\"";
  if (made.going) text += R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")";
  std::string list;
  for (const auto& [key, value] : made.labels) {
    list += (list.empty() ? "\"" : ",\"") + key + "\":\"" + value + "\"";
  }
  if (!list.empty()) text += ",\"labels\":{" + list + "}";
  list.clear();
  for (const std::string& owner : made.owners) {
    list += (list.empty() ? "" : ",") +
            (R"({"apiVersion":"apps/v1","kind":"ReplicaSet","name":"x","controller":true,"uid":")" + owner + "\"}");
  }
  if (!list.empty()) text += ",\"ownerReferences\":[" + list + "]";
  return text + R"(},"data":{"text":")" + made.data + R"(","node":")" + made.node + "\"}}";
}

// The object, and a view of it to give to a store.
struct Sent {
  explicit Sent(const Made& made) : bytes(json_of(made)), metadata(kube::metadata_of(bytes)) {}
  Sent(const Sent&) = delete;
  Sent& operator=(const Sent&) = delete;
  Arrival arrival() const { return {.format = Format::json, .bytes = bytes, .metadata = &metadata}; }

  const std::string bytes;
  const kube::Metadata metadata;
};

// "shop/web@7" of every object that matches, with commas.
inline std::string listed(const Snapshot& snapshot, const Query& query = {}) {
  std::string text;
  snapshot.each(query, [&](const Object& object) {
    text +=
        (text.empty() ? "" : ",") + object.key().to_string() + "@" + std::string(object.metadata().resource_version);
  });
  return text;
}

}  // namespace flyball::cache::detail
