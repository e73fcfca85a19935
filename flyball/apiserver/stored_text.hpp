// StoredText: the JSON of an object at rest and, beside it, the protobuf of the same, once somebody has asked for it.
//
//   const auto bytes = std::make_shared<const StoredText>(object.text());
//   const std::string& message = bytes->message([&] { return encode(*bytes); });      // encodes the first time
//
// Thread-safety: const members may be called from any thread. Lifetime: the message lives as long as the text.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace flyball::apiserver {

class StoredText : public std::string {
 public:
  // Copies: a writer's string has room to spare, which would stay with the object.
  explicit StoredText(std::string_view text) : std::string(text) {}
  ~StoredText() { delete message_.load(std::memory_order_relaxed); }
  StoredText(const StoredText&) = delete;
  StoredText& operator=(const StoredText&) = delete;

  const std::string& message(const std::function<std::string()>& make) const {
    if (const std::string* made = message_.load(std::memory_order_acquire)) return *made;
    auto mine = std::make_unique<const std::string>(make());
    const std::string* other = nullptr;
    // Of two who made it at once, one wins; both are the same.
    if (!message_.compare_exchange_strong(other, mine.get(), std::memory_order_acq_rel)) return *other;
    return *mine.release();
  }

 private:
  mutable std::atomic<const std::string*> message_ = nullptr;  // owned
};

using Bytes = std::shared_ptr<const StoredText>;

}  // namespace flyball::apiserver
