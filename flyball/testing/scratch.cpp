#include "flyball/testing/detail/scratch.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flyball/base/error.hpp"

namespace flyball::testing::detail {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "flyball-kube-";
constexpr std::uintmax_t kEnough = std::uintmax_t{1} << 30U;  // etcd alone begins with 64 MB

[[noreturn]] void fail(const std::string& what) { throw Error(what + ": " + std::generic_category().message(errno)); }

fs::path root() {
  std::error_code none;
  fs::path memory = "/dev/shm";
  if (fs::is_directory(memory, none) && ::access(memory.c_str(), W_OK) == 0 &&
      fs::space(memory, none).available >= kEnough) {
    return memory;
  }
  return fs::temp_directory_path();
}

int lock_file(const fs::path& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

void sweep(const fs::path& folder) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (!entry.path().filename().string().starts_with(kPrefix)) continue;
    const int lock = lock_file(entry.path() / "lock", O_RDONLY);
    if (lock < 0) continue;
    fs::remove_all(entry.path(), none);
    ::close(lock);
  }
}

}  // namespace

ScratchDirectory::ScratchDirectory(bool keep) : keep_(keep) {
  const fs::path folder = root();
  sweep(folder);
  path_ = (folder / (std::string(kPrefix) + "XXXXXX")).string();
  if (::mkdtemp(path_.data()) == nullptr) fail("cannot make a directory in " + folder.string());
  // Renamed when locked, so that a sweep never finds it unlocked.
  lock_ = lock_file(file("lock.new"), O_RDWR | O_CREAT);
  if (lock_ < 0) fail("cannot lock " + file("lock.new"));
  fs::rename(file("lock.new"), file("lock"));
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code none;
  if (keep_) {
    fs::remove(file("lock"), none);  // without one, no sweep takes it for left behind
  } else {
    fs::remove_all(path_, none);
  }
  ::close(lock_);
}

std::string ScratchDirectory::write(const std::string& name, const std::string& text) const {
  const std::string path = file(name);
  std::ofstream out(path, std::ios::trunc);
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  out << text << std::flush;
  if (!out) fail("cannot write " + path);
  return path;
}

ReservedPort::ReservedPort() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (fd_ < 0) fail("cannot make a socket");
  const int yes = 1;
  ::setsockopt(fd_, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  if (::bind(fd_, raw, size) != 0 || ::getsockname(fd_, raw, &size) != 0) {
    const int number = errno;
    ::close(fd_);
    errno = number;
    fail("cannot reserve a port of 127.0.0.1");
  }
  number_ = ntohs(address.sin_port);
}

ReservedPort::~ReservedPort() { ::close(fd_); }

}  // namespace flyball::testing::detail
