// The system's side of starting a process: find the program, arrange its descriptors, fork, exec.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "flyball/base/process.hpp"

namespace flyball::detail {

// A descriptor that is closed with its owner.
class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) noexcept : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFd() { reset(); }

  int get() const noexcept { return fd_; }
  void reset() noexcept;

 private:
  int fd_ = -1;
};

// Everything the child needs, laid out before the fork: between fork and exec nothing may be allocated.
class SpawnPlan {
 public:
  SpawnPlan(const std::vector<std::string>& command, const ProcessOptions& options);

  // On the thread whose end shall be the child's.
  pid_t spawn();
  // Our ends of the pipes: input, output, errors.
  std::array<OwnedFd, 3> take_pipes() noexcept { return std::move(ours_); }

 private:
  struct Failure {
    int stage = 0;
    int number = 0;
  };
  void redirect(int stream, const Redirect& where);
  [[noreturn]] void in_child(pid_t parent, int report) const noexcept;
  [[noreturn]] void fail(const Failure& failure) const;

  const std::string name_;
  const std::string path_;
  const std::string directory_;
  const bool own_group_;
  std::vector<std::string> arguments_;
  std::vector<std::string> environment_;
  std::vector<char*> argv_;
  std::vector<char*> envp_;
  std::array<OwnedFd, 3> theirs_;
  std::array<OwnedFd, 3> ours_;
};

}  // namespace flyball::detail
