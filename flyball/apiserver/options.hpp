// The options of requests: what the query says beside the path, checked as kube-apiserver checks it.
//
//   const ListOptions options = list_options(call, resource);
//   const WriteOptions write = write_options(call, "CreateOptions");
//
// Errors are Refusals: 400 for what cannot be read, 422 for what does not fit together.
//
// Thread-safety: pure functions, values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/apiserver/call.hpp"
#include "flyball/apiserver/decode.hpp"
#include "flyball/apiserver/resource.hpp"
#include "flyball/apiserver/store.hpp"
#include "flyball/kube/field_selector.hpp"
#include "flyball/kube/selector.hpp"

namespace flyball::apiserver {

struct ListOptions {
  kube::Selector labels = {};
  kube::FieldSelector fields = {};
  std::int64_t limit = 0;
  std::string continue_ = {};
  std::optional<Revision> revision = {};  // resourceVersion; nothing when it is not given
  std::string match = {};                 // "", "Exact", "NotOlderThan"
  bool bookmarks = false;
  std::optional<std::int64_t> timeout = {};  // seconds
  bool send_initial_events = false;
};

ListOptions list_options(const Call& call, const Resource& resource);

struct WriteOptions {
  std::string manager = {};  // as asked for, else from the User-Agent
  bool dry_run = false;
  bool force = false;
  FieldValidation validation = FieldValidation::warn;
};

enum class WriteKind : std::uint8_t { create, update, patch, apply };
WriteOptions write_options(const Call& call, WriteKind kind);

struct DeleteOptions {
  std::optional<std::int64_t> grace = {};
  std::optional<std::string> uid = {};
  std::optional<std::string> resource_version = {};
  std::optional<bool> orphan = {};
  std::string propagation = {};  // "", "Orphan", "Background", "Foreground"
  bool dry_run = false;
};

// From the body, or from the query when there is none.
DeleteOptions delete_options(const Call& call);

// The text of a selectable field of an object, "" when it is not set.
std::string field_text(json::View object, std::string_view field);

// A resourceVersion in a request; nothing for what is no number.
std::optional<Revision> parse_revision(std::string_view text);
// In an object, or a GET: what is no number is a Refusal 500, as upstream has it.
Revision check_revision(std::string_view text);

}  // namespace flyball::apiserver
