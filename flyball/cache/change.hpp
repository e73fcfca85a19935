// Change: one object of a kind came, changed or went. What a controller hears from the cache.
//
//   const auto heard = cache.subscribe<core::Pod>({}, [&](const Change& change) {
//     if (change.type() == Change::Type::modified && change.metadata().generation == change.old_metadata()->generation)
//       return;                                                            // only its status has changed
//     queue.add(change.key());
//   });
//
// The metadata is there at once. The object as it is now, and everything about the one before, is unpacked when it is
// first asked for, so that who does not ask does not pay.
//
// Thread-safety: one thread. Lifetime: good during the call that gave it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "flyball/cache/object.hpp"

namespace flyball::cache {

class Change {
 public:
  enum class Type : std::uint8_t { added, modified, deleted };
  using Unpack = std::function<Object()>;

  // Without an object now for what went unseen; without one before for what came.
  Change(Type type, std::optional<Object> now, Unpack before, bool leap = false)
      : type_(type), leap_(leap), now_(std::move(now)), unpack_(std::move(before)) {
    if (now_) metadata_ = now_->metadata();
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  Type type() const noexcept { return type_; }
  // From a list, after the watch was lost: between the two states there may have been others that nobody heard of.
  bool is_leap() const noexcept { return leap_; }
  kube::ObjectKey key() const { return {std::string(metadata().namespace_), std::string(metadata().name)}; }
  // As it is now; of one that went, as it was last.
  const kube::Metadata& metadata() const { return metadata_ ? *metadata_ : *old_metadata(); }
  const Object& object() const { return now_ ? *now_ : *old(); }
  // As it was before; null for one that came.
  const kube::Metadata* old_metadata() const;
  const Object* old() const;
  // Of the object now; of one that went, of its end where the server said it.
  std::string_view resource_version() const { return metadata().resource_version; }

 private:
  const Type type_;
  const bool leap_;
  const std::optional<Object> now_;
  std::optional<kube::Metadata> metadata_;
  const Unpack unpack_;
  mutable std::optional<Object> old_ = {};
  mutable std::optional<kube::Metadata> old_metadata_ = {};
};

std::string_view to_string(Change::Type type) noexcept;

}  // namespace flyball::cache
