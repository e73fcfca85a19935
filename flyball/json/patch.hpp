// JSON Patch (RFC 6902): a list of operations that turns one document into another.
//
//   json::Value edited = json::apply_patch(deployment, json::parse(R"([
//     {"op": "test",    "path": "/spec/replicas", "value": 1},
//     {"op": "replace", "path": "/spec/replicas", "value": 3}])"));
//
// All or nothing: the document itself never changes, and when one operation fails there is no result but a PatchError
// that says which operation, on which path, what was found and what to do.
//
// By default the rules are those of kube-apiserver, which applies patches of clients and of admission webhooks with
// evanphx/json-patch v4, so that a patch tried here does on a cluster what it did here. They differ from the RFC:
//   accepted, though the RFC refuses it
//     - `replace` of a member that is not there adds it
//     - `add` and `replace` without "value" write null
//     - `copy` from a member that is not there writes null
//     - `test` of a member that is not there, or is null, holds against null and against no "value"
//     - negative indices count from the end: -1 is the last element, for `add` the place behind it
//     - indices may be written with leading zeros or a plus sign
//     - a '~' that is not part of ~0 or ~1 stands for itself
//     - `move` into a part of itself, when the way still exists after the removal
//     - null instead of a list of operations: no operations
//   refused, though the RFC accepts it
//     - the path "" in `add`, `move` and `copy`; `replace` of "" by anything but an object or an array
//     - a document that is not an object or an array
// {.rules = PatchRules::rfc6902} follows the RFC to the letter. Under both rules:
//     - `test` compares values, as the RFC says (1 equals 1.0, key order is free); the Go library compares their text
//     - `remove` of what is not there is an error, and so is `remove` of the whole document
//     - a path that does not begin with '/' is an error; the Go library ignores what stands before the first '/'
//     - members of an operation that are not known are ignored
//
// Costs: one pass over the containers on the touched paths and one copy of the document (see draft.hpp).
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>

#include "flyball/base/error.hpp"
#include "flyball/json/value.hpp"

namespace flyball::json {

enum class PatchRules { kubernetes, rfc6902 };

struct PatchOptions {
  PatchRules rules = PatchRules::kubernetes;
  // Default: 10,000, the limit of kube-apiserver.
  std::size_t max_operations = 10'000;
  // Bytes of JSON text that all `copy` operations together may add. Default: 3 MiB, the limit of kube-apiserver.
  std::size_t max_copied_bytes = std::size_t{3} << 20;
  // Arrays and objects within each other that the result may have where it was patched. Default: 1000, as in parse.
  std::size_t max_depth = 1000;
};

// The patch is malformed or does not fit the document. `path()` is the place in the patch: `patch[3].path`.
class PatchError : public InputError {
 public:
  // For a patch that is wrong as a whole: not a list, too many operations.
  static constexpr std::size_t kWhole = static_cast<std::size_t>(-1);

  PatchError(std::size_t operation, std::string op, std::string pointer, std::string path, std::string problem)
      : InputError({}, std::move(path), std::move(problem)),
        operation_(operation),
        op_(std::move(op)),
        pointer_(std::move(pointer)) {}

  // Which operation, counted from 0, or kWhole.
  std::size_t operation() const noexcept { return operation_; }
  // Its "op" and "path" as far as they could be read.
  const std::string& op() const noexcept { return op_; }
  const std::string& pointer() const noexcept { return pointer_; }

 private:
  std::size_t operation_;
  std::string op_;
  std::string pointer_;
};

Value apply_patch(View document, View patch, const PatchOptions& options = {});

}  // namespace flyball::json
