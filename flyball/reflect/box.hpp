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

#include <utility>

namespace flyball {

template <class T>
class Box {
 public:
  Box() noexcept = default;
  Box(T value) : value_(new T(std::move(value))) {}
  Box(const Box& other) : value_(other.value_ != nullptr ? new T(*other.value_) : nullptr) {}
  Box(Box&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Box& operator=(Box other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Box() { delete value_; }

  explicit operator bool() const noexcept { return value_ != nullptr; }
  bool has_value() const noexcept { return value_ != nullptr; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_; }
  const T* operator->() const { return value_; }

  // The value, made first when there is none: `spec.securityContext.get_or_make().runAsUser = 1000`.
  T& get_or_make() { return value_ != nullptr ? *value_ : emplace(); }
  T& emplace() {
    T* made = new T();
    delete std::exchange(value_, made);
    return *made;
  }
  void reset() noexcept { delete std::exchange(value_, nullptr); }

  friend bool operator==(const Box& a, const Box& b) {
    if (a.value_ == nullptr || b.value_ == nullptr) return a.value_ == b.value_;
    return *a.value_ == *b.value_;
  }

 private:
  // Not a unique_ptr: <memory> costs more to compile than all of a built-in type's other headers together.
  T* value_ = nullptr;
};

}  // namespace flyball
