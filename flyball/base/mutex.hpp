// Mutex: std::mutex with annotations, so that clang's -Wthread-safety proves which lock guards which member.
//
//   class Tally {
//    public:
//     void add(int n) {
//       MutexLock lock(mutex_);
//       total_ += n;
//     }
//
//    private:
//     Mutex mutex_;
//     int total_ FLYBALL_GUARDED_BY(mutex_) = 0;
//   };
//
// To wait for a change of guarded state use Condition (condition.hpp): it waits through the injected clock.
// Under g++ the annotations are nothing.
//
// Thread-safety: that is what these are for. Lifetime: a mutex outlives its locks.
#pragma once

#include <mutex>

#if defined(__clang__)
#define FLYBALL_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define FLYBALL_THREAD_ANNOTATION(x)
#endif

// On a member: touch it only with this mutex held (PT_: what the pointer points to).
#define FLYBALL_GUARDED_BY(mutex) FLYBALL_THREAD_ANNOTATION(guarded_by(mutex))
#define FLYBALL_PT_GUARDED_BY(mutex) FLYBALL_THREAD_ANNOTATION(pt_guarded_by(mutex))
// On a function: the caller holds the mutex / must not hold it.
#define FLYBALL_REQUIRES(...) FLYBALL_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define FLYBALL_EXCLUDES(...) FLYBALL_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
// On a function: it returns with the mutex taken / given back.
#define FLYBALL_ACQUIRE(...) FLYBALL_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define FLYBALL_TRY_ACQUIRE(...) FLYBALL_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define FLYBALL_RELEASE(...) FLYBALL_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
// On a mutex: it is taken after another one.
#define FLYBALL_ACQUIRED_AFTER(...) FLYBALL_THREAD_ANNOTATION(acquired_after(__VA_ARGS__))
// On a class: it is a lock / a scope that holds one.
#define FLYBALL_CAPABILITY(name) FLYBALL_THREAD_ANNOTATION(capability(name))
#define FLYBALL_SCOPED_CAPABILITY FLYBALL_THREAD_ANNOTATION(scoped_lockable)
// The way out, for code the analysis cannot follow. Say why beside it.
#define FLYBALL_NO_THREAD_SAFETY_ANALYSIS FLYBALL_THREAD_ANNOTATION(no_thread_safety_analysis)

namespace flyball {

class FLYBALL_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() FLYBALL_ACQUIRE() { mutex_.lock(); }
  void unlock() FLYBALL_RELEASE() { mutex_.unlock(); }
  bool try_lock() FLYBALL_TRY_ACQUIRE(true) { return mutex_.try_lock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

// Holds a Mutex for a scope. May be given back early and taken again.
class FLYBALL_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) FLYBALL_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() FLYBALL_RELEASE() {
    if (held_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() FLYBALL_RELEASE() {
    mutex_.unlock();
    held_ = false;
  }
  void lock() FLYBALL_ACQUIRE() {
    mutex_.lock();
    held_ = true;
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

}  // namespace flyball
