#include "flyball/cluster/node/container_root.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <sstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "flyball/cluster/node/system_call.hpp"

namespace flyball::cluster::node {
namespace {

namespace fs = std::filesystem;

bool is_below(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/');
}

// The fields of mountinfo have blanks and the like as octal escapes.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

// What is mounted on the machine, the outermost only: those below come with them.
std::vector<std::string> mount_points() {
  std::vector<std::string> points;
  std::ifstream info("/proc/self/mountinfo");
  for (std::string line; std::getline(info, line);) {
    std::istringstream words(line);
    std::string word;
    for (int i = 0; i < 5; ++i) words >> word;
    const std::string point = unescaped(word);
    if (point == "/") continue;
    bool covered = false;
    for (const std::string& outer : points) covered = covered || is_below(point, outer);
    if (!covered) points.push_back(point);
  }
  return points;
}

void bind(const std::string& source, const std::string& target) {
  check(::mount(source.c_str(), target.c_str(), nullptr, MS_BIND | MS_REC, nullptr),
        "mount " + source + " at " + target);
}

void make_read_only(const std::string& target) {
  struct statvfs about{};
  unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY;
  // What the machine's mount forbids stays forbidden: without saying so a user namespace may not remount it.
  if (::statvfs(target.c_str(), &about) == 0) {
    if ((about.f_flag & ST_NOSUID) != 0) flags |= MS_NOSUID;
    if ((about.f_flag & ST_NODEV) != 0) flags |= MS_NODEV;
    if ((about.f_flag & ST_NOEXEC) != 0) flags |= MS_NOEXEC;
    if ((about.f_flag & ST_NOATIME) != 0) flags |= MS_NOATIME;
    if ((about.f_flag & ST_RELATIME) != 0) flags |= MS_RELATIME;
  }
  check(::mount(nullptr, target.c_str(), nullptr, flags, nullptr), "make " + target + " read-only");
}

// A place for the source: a folder, or a file.
void make_place(const fs::path& target, bool folder) {
  std::error_code none;
  const bool link = fs::is_symlink(fs::symlink_status(target, none));
  // A link would lead out of here: /etc/resolv.conf often is one.
  if (link) fs::remove(target);
  if (folder) {
    fs::create_directories(target);
    return;
  }
  fs::create_directories(target.parent_path());
  if (!fs::exists(target)) std::ofstream(target).flush();
}

void mount_volume(const std::string& root, const Mount& mount) {
  const std::string target = root + mount.target;
  make_place(target, fs::is_directory(mount.source));
  bind(mount.source, target);
  if (mount.read_only) make_read_only(target);
}

// The machine's files, built anew: folders as overlays, so that everything that is written lands in memory and goes
// with the container. A folder that has mounts or volumes below it is made by hand, and its parts the same way: the
// kernel lends no folder whose mounts would be left out, and an ordinary user may make no folder in one of root's.
class Builder {
 public:
  Builder(std::string scratch, const std::vector<Mount>& volumes)
      : scratch_(std::move(scratch)), root_(scratch_ + "/root"), mounts_(mount_points()) {
    std::error_code none;
    for (const Mount& volume : volumes) {
      const fs::file_status place = fs::symlink_status(volume.target, none);
      if (!fs::is_directory(place) && !fs::is_regular_file(place)) volumes_.push_back(volume.target);
    }
    check(::mount("tmpfs", scratch_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755"), "make a scratch file system");
    check(::mkdir(root_.c_str(), 0755), "make " + root_);
    // Only what is mounted can become the root.
    check(::mount("tmpfs", root_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755"), "make a root file system");
  }

  void build() { fill("/"); }
  const std::string& root() const { return root_; }

 private:
  static bool any_below(const std::vector<std::string>& points, const std::string& folder) {
    return std::ranges::any_of(points, [&](const std::string& point) { return is_below(point, folder); });
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the deepest mount
  void fill(const std::string& folder) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
      const std::string path = entry.path().string();
      const fs::file_status status = entry.symlink_status(none);
      if (fs::is_symlink(status)) {
        fs::copy_symlink(entry.path(), root_ + path, none);
      } else if (fs::is_directory(status)) {
        add_folder(path);
      } else {
        std::ofstream(root_ + path).flush();
        lend(path);
      }
    }
  }

  void add_folder(const std::string& path) {
    make_like(path, root_ + path);
    const bool mounted = std::ranges::find(mounts_, path) != mounts_.end();
    if (mounted) return lend(path);
    if (any_below(mounts_, path) || any_below(volumes_, path)) return fill(path);
    if (!overlay(path)) lend(path);
  }

  // One that cannot be shared is left out: machines have mounts of all kinds, and most containers need none.
  void lend(const std::string& path) {
    // What we have mounted ourselves is not lent.
    const unsigned long deep = is_below(scratch_, path) ? 0UL : static_cast<unsigned long>(MS_REC);
    ::mount(path.c_str(), (root_ + path).c_str(), nullptr, MS_BIND | deep, nullptr);
  }

  bool overlay(const std::string& path) {
    const std::string layer = scratch_ + "/" + std::to_string(++layers_);
    fs::create_directories(layer);
    make_like(path, layer + "/upper");
    fs::create_directory(layer + "/work");
    const std::string options = "lowerdir=" + path + ",upperdir=" + layer + "/upper,workdir=" + layer + "/work";
    const std::string target = root_ + path;
    if (::mount("overlay", target.c_str(), "overlay", 0, options.c_str()) == 0) return true;
    return ::mount("overlay", target.c_str(), "overlay", 0, (options + ",userxattr").c_str()) == 0;
  }

  static void make_like(const std::string& path, const std::string& copy) {
    struct stat about{};
    fs::create_directories(copy);
    if (::stat(path.c_str(), &about) != 0) return;
    // An ordinary user cannot give them to others; then they are its own.
    if (::chown(copy.c_str(), about.st_uid, about.st_gid) != 0) errno = 0;
    ::chmod(copy.c_str(), about.st_mode & 07777U);
  }

  const std::string scratch_;
  const std::string root_;
  const std::vector<std::string> mounts_;
  std::vector<std::string> volumes_;
  int layers_ = 0;
};

// Folders of the machine that are links (/var/run) are links in there too, and would lead out again: the way is made
// with what they lead to.
std::vector<Mount> without_links(std::vector<Mount> mounts) {
  for (Mount& mount : mounts) {
    const fs::path target = fs::path(mount.target).lexically_normal();
    const fs::path place = target.has_filename() ? target : target.parent_path();
    std::error_code none;
    const fs::path way = fs::weakly_canonical(place.parent_path(), none);
    if (!none) mount.target = (way / place.filename()).string();
  }
  return mounts;
}

// The place of a path below `root`, its links followed as if that were the root: those of an image lead where they
// like.
std::string within(const std::string& root, const std::string& path) {
  std::vector<std::string> todo;
  const auto push = [&](const fs::path& way) {
    const std::vector<fs::path> parts(way.begin(), way.end());
    for (const fs::path& part : std::ranges::reverse_view(parts)) todo.push_back(part.string());
  };
  push(path);
  fs::path done("/");
  for (int steps = 0; !todo.empty() && steps < 1000; ++steps) {
    const std::string part = todo.back();
    todo.pop_back();
    if (part.empty() || part == "." || part == "/") continue;
    if (part == "..") {
      done = done.parent_path();
      continue;
    }
    std::error_code none;
    const fs::path here = root + (done / part).string();
    // The last one is the caller's to replace.
    if (todo.empty() || !fs::is_symlink(fs::symlink_status(here, none))) {
      done /= part;
      continue;
    }
    const fs::path target = fs::read_symlink(here);
    if (target.is_absolute()) done = "/";
    push(target);
  }
  return root + done.string();
}

void own_mounts() {
  check(::unshare(CLONE_NEWNS), "make a mount namespace");
  check(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "keep mounts apart");
}

void make_root(const std::string& root) {
  check(::chdir(root.c_str()), "enter " + root);
  check(::syscall(SYS_pivot_root, ".", "."), "make " + root + " the root");
  check(::umount2(".", MNT_DETACH), "leave the old root");
  check(::chdir("/"), "enter the new root");
}

}  // namespace

void enter_image_root(const std::string& image, const std::string& scratch, const std::vector<Mount>& mounts) {
  own_mounts();
  check(::mount("tmpfs", scratch.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755"), "make a scratch file system");
  const std::string root = scratch + "/root";
  for (const char* folder : {"/root", "/upper", "/work"}) {
    check(::mkdir((scratch + folder).c_str(), 0755), "make a folder");
  }
  std::string options = "lowerdir=" + image + ",upperdir=" + scratch + "/upper,workdir=" + scratch + "/work";
  if (::mount("overlay", root.c_str(), "overlay", 0, options.c_str()) != 0) {
    options += ",userxattr";
    check(::mount("overlay", root.c_str(), "overlay", 0, options.c_str()), "lay the image's files out at " + root);
  }
  for (const char* folder : {"/dev", "/proc", "/sys"}) {
    make_place(root + folder, true);
    bind(folder, root + folder);
  }
  // The names of the pod's network are the machine's affair, whatever the image says.
  for (const char* file : {"/etc/hosts", "/etc/resolv.conf", "/etc/hostname"}) {
    std::error_code none;
    if (!fs::exists(file, none)) continue;
    const std::string place = within(root, file);
    make_place(place, false);
    ::mount(file, place.c_str(), nullptr, MS_BIND, nullptr);
  }
  for (Mount mount : mounts) {
    mount.target = within(root, mount.target).substr(root.size());
    mount_volume(root, mount);
  }
  make_root(root);
}

void enter_container_root(const std::string& scratch, const std::vector<Mount>& wanted) {
  const std::vector<Mount> mounts = without_links(wanted);
  own_mounts();
  Builder builder(scratch, mounts);
  builder.build();
  for (const Mount& mount : mounts) mount_volume(builder.root(), mount);
  make_root(builder.root());
}

}  // namespace flyball::cluster::node
