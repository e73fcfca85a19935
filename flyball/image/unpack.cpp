#include "flyball/image/unpack.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flyball/base/error.hpp"
#include "flyball/image/tar.hpp"

namespace flyball::image {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWhiteout = ".wh.";
constexpr std::string_view kOpaque = ".wh..wh..opq";
constexpr int kMostLinks = 40;

[[noreturn]] void cannot(const std::string& name) {
  const std::error_code why(errno, std::generic_category());
  throw Error("cannot unpack " + name + ": " + why.message());
}

class Layer {
 public:
  explicit Layer(std::string root) : root_(std::move(root)), owners_(::geteuid() == 0) {}

  // Those of a layer speak of the layers below it, wherever in the archive they stand.
  void whiteouts(std::string_view tar) {
    TarReader reader(tar);
    while (const auto entry = reader.next()) {
      const auto [folder, last] = split(entry->name);
      if (!last.starts_with(kWhiteout)) continue;
      const std::string name = last.substr(kWhiteout.size());
      // ".wh..." and ".wh.." would name the folder above, and the folder itself.
      if (name.empty() || name == "." || name == "..") {
        throw Error("\"" + entry->name + "\" takes away nothing a layer may");
      }
      const fs::path place = inside(folder, false);
      if (place.empty()) continue;
      if (last == kOpaque) {
        for (const auto& old : fs::directory_iterator(place)) fs::remove_all(old.path());
      } else {
        fs::remove_all(place / name);
      }
    }
  }

  void files(std::string_view tar) {
    TarReader reader(tar);
    while (const auto entry = reader.next()) {
      const auto [folder, last] = split(entry->name);
      if (last.starts_with(kWhiteout) || entry->kind == TarKind::other) continue;
      if (last.empty()) continue;
      add(*entry, inside(folder, true) / last);
    }
    // Last, for a folder that may not be written to would take none of its own files.
    for (const auto& [path, mode] : modes_) {
      if (::chmod(path.c_str(), mode) != 0) cannot(path);
    }
  }

 private:
  static std::pair<std::string, std::string> split(const std::string& name) {
    const std::string path = safe_path(name);
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return {"", path};
    return {path.substr(0, slash), path.substr(slash + 1)};
  }

  // The folder's place on the machine, links followed inside the root. Empty when it is not there and not to be made.
  fs::path inside(const std::string& folder, bool make) const {
    std::vector<std::string> todo = parts(folder);
    std::vector<std::string> done;
    int links = 0;
    while (!todo.empty()) {
      const std::string part = todo.back();
      todo.pop_back();
      if (part == "..") {
        if (!done.empty()) done.pop_back();
        continue;
      }
      const fs::path here = join(done) / part;
      const fs::file_status status = fs::symlink_status(here);
      if (fs::is_symlink(status)) {
        if (++links > kMostLinks) throw Error("cannot unpack into " + folder + ": too many symbolic links");
        const std::string target = fs::read_symlink(here).string();
        if (target.starts_with('/')) done.clear();
        for (const std::string& word : parts(target)) todo.push_back(word);
        continue;
      }
      if (!fs::is_directory(status)) {
        if (!make) return {};
        fs::remove(here);
        if (::mkdir(here.c_str(), 0755) != 0) cannot(folder);
      }
      done.push_back(part);
    }
    return join(done);
  }

  // The words between the slashes, the first one last.
  static std::vector<std::string> parts(const std::string& path) {
    std::vector<std::string> words;
    for (const fs::path& word : fs::path(path)) {
      if (word != "/" && word != "." && !word.empty()) words.push_back(word.string());
    }
    std::ranges::reverse(words);
    return words;
  }

  fs::path join(const std::vector<std::string>& done) const {
    fs::path path(root_);
    for (const std::string& part : done) path /= part;
    return path;
  }

  void add(const TarEntry& entry, const fs::path& path) {
    const bool folder = entry.kind == TarKind::folder;
    const fs::file_status old = fs::symlink_status(path);
    if (fs::exists(old) && !(folder && fs::is_directory(old))) fs::remove_all(path);
    switch (entry.kind) {
      case TarKind::folder:
        if (!fs::exists(old) || !fs::is_directory(old)) {
          if (::mkdir(path.c_str(), 0755) != 0) cannot(entry.name);
        }
        break;
      case TarKind::symlink:
        if (::symlink(entry.link.c_str(), path.c_str()) != 0) cannot(entry.name);
        break;
      case TarKind::hard_link: return link(entry, path);
      default: write(entry, path);
    }
    own(entry, path);
    if (folder) modes_[path.string()] = entry.mode & 01777U;
  }

  void link(const TarEntry& entry, const fs::path& path) const {
    const auto [folder, last] = split(entry.link);
    const fs::path place = inside(folder, false);
    if (place.empty() || last.empty()) throw Error("cannot unpack " + entry.name + ": it is a link to nothing");
    if (::linkat(AT_FDCWD, (place / last).c_str(), AT_FDCWD, path.c_str(), 0) != 0) cannot(entry.name);
  }

  static void write(const TarEntry& entry, const fs::path& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) cannot(entry.name);
    std::string_view rest = entry.data;
    bool good = true;
    while (good && !rest.empty()) {
      const ssize_t count = ::write(file, rest.data(), rest.size());
      good = count > 0;
      if (good) rest.remove_prefix(static_cast<std::size_t>(count));
    }
    const int why = errno;
    ::close(file);
    errno = why;
    if (!good) cannot(entry.name);
  }

  void own(const TarEntry& entry, const fs::path& path) const {
    const auto uid = static_cast<uid_t>(entry.uid);
    const auto gid = static_cast<gid_t>(entry.gid);
    // In a user namespace some numbers do not exist; then the file stays ours.
    if (owners_ && ::lchown(path.c_str(), uid, gid) != 0 && errno != EINVAL && errno != EPERM) cannot(entry.name);
    if (entry.kind == TarKind::file && ::chmod(path.c_str(), entry.mode & 0777U) != 0) cannot(entry.name);
  }

  const std::string root_;
  const bool owners_;
  std::map<std::string, mode_t> modes_;  // of folders, to be set at the end
};

}  // namespace

void unpack_layer(std::string_view tar, const std::string& root) {
  try {
    fs::create_directories(root);
    Layer(root).whiteouts(tar);
    Layer(root).files(tar);
  } catch (const fs::filesystem_error& error) {
    throw Error(std::string("cannot unpack a layer: ") + error.what());
  }
}

void unpack(const Image& image, const std::string& root) {
  for (std::size_t i = 0; i < image.layers.size(); ++i) unpack_layer(layer_tar(image, i), root);
}

}  // namespace flyball::image
