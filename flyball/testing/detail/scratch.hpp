// What a test server needs of the machine: a directory that does not stay, a port that nobody else gets.
#pragma once

#include <cstdint>
#include <string>

namespace flyball::testing::detail {

// A directory of our own, in memory where there is enough of it. Locked while it is ours: what a killed program left
// behind is removed by the next (tools/kube/up does the same, by the same lock).
class ScratchDirectory {
 public:
  explicit ScratchDirectory(bool keep);
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const noexcept { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  // For our user alone; gives the path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  const bool keep_;
  std::string path_;
  int lock_ = -1;
};

// A free port of 127.0.0.1 that stays ours: the server binds beside our socket (SO_REUSEPORT), which never listens, so
// nobody can take the port before the server does, nor while it restarts.
class ReservedPort {
 public:
  ReservedPort();
  ~ReservedPort();
  ReservedPort(const ReservedPort&) = delete;
  ReservedPort& operator=(const ReservedPort&) = delete;

  std::uint16_t number() const noexcept { return number_; }

 private:
  int fd_ = -1;
  std::uint16_t number_ = 0;
};

}  // namespace flyball::testing::detail
