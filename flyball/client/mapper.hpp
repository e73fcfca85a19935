// RestMapper: from a kind to the resource it is served as, and back; and from what people type.
//
//   RestMapper& mapper = client.mapper();
//   mapper.resource({"example.com", "v1", "Widget"}, stop).plural;            // "widgets"
//   mapper.resource({.group = "apps", .kind = "Deployment"}, stop);           // no version: the one the server prefers
//   mapper.resolve("deploy", stop).kind;                                      // apps/v1 Deployment; as kubectl takes
//   it
//
// It asks the server once and remembers. What it does not know makes it ask again, so that kinds of CRDs that came
// later are learned by themselves; but not more often than once in `RestMapper::kAskAgainAfter`.
//
// Errors: ApiError, is_not_found(), when the server has no such kind; those of a request.
// Thread-safety: all members may be called from any thread; one asks, the others wait for what it learns.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/client/discovery.hpp"

namespace flyball::client {

class RestMapper {
 public:
  static constexpr Duration kAskAgainAfter = std::chrono::seconds(1);

  explicit RestMapper(std::shared_ptr<Engine> engine);
  RestMapper(const RestMapper&) = delete;
  RestMapper& operator=(const RestMapper&) = delete;

  Resource resource(const GroupVersionKind& kind, const Stop& stop);
  GroupVersionKind kind(const GroupVersionResource& resource, const Stop& stop);
  // A plural, singular, short name or kind, in any case; with the group or version and group behind it where the name
  // alone is not enough: "deployments.apps", "deployments.v1.apps".
  Resource resolve(std::string_view name, const Stop& stop);

  // Everything that is served, as it was learned last.
  std::vector<ServedResource> all(const Stop& stop);
  // The next question goes to the server.
  void forget();

 private:
  using Table = std::vector<ServedResource>;
  template <class Match>
  std::shared_ptr<const Table> find(Match&& match, const Stop& stop, const ServedResource*& found);
  // A table newer than `known`, as far as the server may be asked; the same one where not.
  std::shared_ptr<const Table> learn(const std::shared_ptr<const Table>& known, const Stop& stop);

  const std::shared_ptr<Engine> engine_;

  Mutex mutex_;
  Condition learned_;
  std::shared_ptr<const Table> table_ FLYBALL_GUARDED_BY(mutex_);
  TimePoint asked_ FLYBALL_GUARDED_BY(mutex_) = {};
  bool asking_ FLYBALL_GUARDED_BY(mutex_) = false;
};

}  // namespace flyball::client
