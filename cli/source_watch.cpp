#include "cli/source_watch.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "flyball/base/error.hpp"

namespace flyball::cli {
namespace {

constexpr int kQuietMilliseconds = 200;

// Editors leave files of their own beside those that they write.
bool counts(const std::string& name) {
  const std::filesystem::path path(name);
  if (name.empty() || name.front() == '.') return false;
  return path.extension() == ".cpp" || path.extension() == ".hpp" || path.extension() == ".h" ||
         name == "CMakeLists.txt" || name == "flyball.yaml";
}

}  // namespace

SourceWatch::SourceWatch(const std::filesystem::path& project) : file_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (file_ < 0) throw Error("cannot watch files: " + std::error_code(errno, std::generic_category()).message());
  add(project);
  if (!std::filesystem::is_directory(project / "src")) return;
  add(project / "src");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(project / "src")) {
    if (entry.is_directory()) add(entry.path());
  }
}

SourceWatch::~SourceWatch() {
  if (file_ >= 0) ::close(file_);
}

void SourceWatch::add(const std::filesystem::path& folder) {
  constexpr std::uint32_t kWhat = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
  if (::inotify_add_watch(file_, folder.c_str(), kWhat) >= 0) return;
  throw Error("cannot watch " + folder.string() + ": " + std::error_code(errno, std::generic_category()).message());
}

std::string SourceWatch::drain() {
  std::string changed;
  pollfd more{.fd = file_, .events = POLLIN, .revents = 0};
  while (::poll(&more, 1, kQuietMilliseconds) > 0) {
    alignas(inotify_event) std::array<char, 4096> bytes{};
    const ssize_t size = ::read(file_, bytes.data(), bytes.size());
    for (ssize_t at = 0; at < size;) {
      inotify_event event{};
      std::memcpy(&event, bytes.data() + at, sizeof event);
      const std::string name = event.len == 0 ? "" : std::string(bytes.data() + at + sizeof event);
      if (counts(name)) changed = name;
      at += static_cast<ssize_t>(sizeof event + event.len);
    }
  }
  return changed;
}

}  // namespace flyball::cli
