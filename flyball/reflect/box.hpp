// Box<T>: an optional value on the heap. For optional sub-objects that are large or contain themselves.
//
//   struct PodSpec { Box<SecurityContext> securityContext; };
//   PodSpec spec{.securityContext = {{.runAsNonRoot = true}}};     // two braces: the box, then what is in it
//   if (spec.securityContext) use(spec.securityContext->runAsNonRoot);
//
// It is a value: copying it copies what is inside. Empty, it costs one pointer; T may be incomplete where Box<T> is
// declared.
//
// Thread-safety: that of T.
#pragma once

#include <memory>
#include <utility>

namespace flyball {

template <class T>
class Box {
 public:
  Box() noexcept = default;
  Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Box(const Box& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Box(Box&&) noexcept = default;
  Box& operator=(Box other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~Box() = default;

  explicit operator bool() const noexcept { return value_ != nullptr; }
  bool has_value() const noexcept { return value_ != nullptr; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  // The value, made first when there is none: `spec.securityContext.get_or_make().runAsUser = 1000`.
  T& get_or_make() { return value_ ? *value_ : emplace(); }
  T& emplace() {
    value_ = std::make_unique<T>();
    return *value_;
  }
  void reset() noexcept { value_.reset(); }

  friend bool operator==(const Box& a, const Box& b) {
    if (!a.value_ || !b.value_) return !a.value_ && !b.value_;
    return *a.value_ == *b.value_;
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace flyball
