// Field management, as a server does it: who owns which field after a write, and server-side apply.
//
//   const reflect::Type* type = kube::find_kind("apps/v1", "Deployment");
//   const MergeSchema schema = MergeSchema::of(*type);
//   const ManagedKind kind{.schema = schema, .api_version = "apps/v1", .kind = "Deployment",
//                          .reset = reset_fields(*type, "")};
//   json::Value made = track_update({}, posted, kind, {.manager = "kubectl-create", .now = now});
//   json::Value next = apply(made, applied, kind, {.manager = "my-operator", .now = now}, Force::no);
//
// Objects are JSON as Go's encoder writes the kind (`status: {}` and `containers: null` where Go has them): what counts
// as added on create is what the kind's empty object does not have.
//
// Thread-safety: pure functions; a ManagedKind may be shared. Lifetime: the schema outlives the kind.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/merge/field_set.hpp"
#include "flyball/apiserver/merge/managed_fields.hpp"
#include "flyball/apiserver/merge/merge_type.hpp"
#include "flyball/apiserver/merge/reset_fields.hpp"
#include "flyball/base/api_error.hpp"
#include "flyball/json/value.hpp"
#include "flyball/kube/time.hpp"

namespace flyball::apiserver::merge {

// An object in another version of its kind.
struct Converted {
  json::Value object = {};
  const MergeSchema* schema = nullptr;  // of that version; outlives the call
};
// Empty for a version that the server does not have: what a manager owned in it is forgotten.
using Convert = std::function<std::optional<Converted>(json::View object, std::string_view api_version)>;

struct ManagedKind {
  const MergeSchema& schema;
  std::string api_version = {};  // of the request
  std::string kind = {};
  // What this resource or subresource does not write, and nobody can own through it, in any version: reset_fields.hpp.
  FieldFilter reset = {};
  // Default: there are no other versions.
  Convert convert = {};
};

struct Writer {
  std::string manager = {};      // "unknown" when empty
  std::string subresource = {};  // "status"
  kube::Time now = {};
};

// A create (`live` absent or null), update or patch other than apply: `next` with the managedFields it has then.
// Those that `next` brings count, unless they are empty, unreadable or the write is one of a subresource; `[]` and
// `[{}]` reset them. An object whose owners are not tracked stays so. Never fails: on an object that is not of its
// schema, the owners are given up.
json::Value track_update(json::View live, const json::Value& next, const ManagedKind& kind, const Writer& writer);
// The same without the object: its managers.
Managed track_managers(json::View live, json::View next, const ManagedKind& kind, const Writer& writer);

enum class Force { no, yes };

// One field that another manager owns.
struct Conflict {
  ManagerId manager = {};
  Path path = {};
};

// 409: "Apply failed with 1 conflict: conflict with "kubectl" using v1: .spec.replicas"
class ApplyConflict : public ApiError {
 public:
  explicit ApplyConflict(std::vector<Conflict> conflicts);
  const std::vector<Conflict>& conflicts() const noexcept { return conflicts_; }

 private:
  std::vector<Conflict> conflicts_;
};

// Server-side apply: what becomes of `live` (absent or null: nothing yet), with its managedFields. It is `live` itself
// but for the managedFields when nothing else changes. Throws ApplyConflict; ApiError BadRequest for an object of
// another kind or with managedFields, Unknown (500, as upstream) for one that is not of its schema.
json::Value apply(json::View live, json::View applied, const ManagedKind& kind, const Writer& writer, Force force);

// When `next` differs from `live` only in the times of its managedFields: with live's times, so that the write is none.
json::Value keep_times_of_noop(json::View live, json::Value next);

// The manager of a write that names none: what comes before the first slash, printable and at most 128 bytes.
std::string manager_from_user_agent(std::string_view user_agent);

// Whether the managedFields can be read; throws FieldsError with the reason. Mutating admission is held to it.
void check_managed_fields(json::View managed_fields);

}  // namespace flyball::apiserver::merge
