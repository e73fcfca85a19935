#include "cli/file_plan.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <ranges>
#include <system_error>

#include "flyball/base/error.hpp"

namespace flyball::cli {
namespace {

std::filesystem::path beside(const std::filesystem::path& target) {
  return target.parent_path() / ("." + target.filename().string() + ".flyball-new");
}

[[noreturn]] void cannot_write(const std::filesystem::path& path, const std::string& why) {
  throw Error("cannot write " + path.string() + ": " + why + "; nothing was changed");
}

}  // namespace

// The new texts, each beside its target. What did not come to its end is taken away again.
class FilePlan::Staged {
 public:
  ~Staged() {
    std::error_code none;
    for (const auto& [from, to] : files_) std::filesystem::remove(from, none);
    for (const auto& folder : std::ranges::reverse_view(folders_)) std::filesystem::remove(folder, none);
  }
  Staged() = default;
  Staged(const Staged&) = delete;
  Staged& operator=(const Staged&) = delete;

  void add(const std::filesystem::path& target, const std::string& text) {
    make_folder(target.parent_path());
    const auto path = beside(target);
    std::ofstream file(path, std::ios::trunc | std::ios::binary);
    if (!file) cannot_write(target, std::error_code(errno, std::generic_category()).message());
    files_.emplace_back(path, target);
    file << text;
    file.close();
    if (!file) cannot_write(target, "the disk may be full");
  }
  void finish() {
    for (const auto& [from, to] : files_) {
      std::error_code error;
      std::filesystem::rename(from, to, error);
      if (error) throw Error("cannot write " + to.string() + ": " + error.message());
    }
    files_.clear();
    folders_.clear();
  }

 private:
  void make_folder(const std::filesystem::path& folder) {
    if (folder.empty() || std::filesystem::exists(folder)) return;
    make_folder(folder.parent_path());
    std::error_code error;
    std::filesystem::create_directory(folder, error);
    if (error) cannot_write(folder, error.message());
    folders_.push_back(folder);
  }

  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> files_;
  std::vector<std::filesystem::path> folders_;
};

void FilePlan::create(const std::filesystem::path& path, std::string text) {
  created_.insert(path);
  write(path, std::move(text));
}

void FilePlan::write(const std::filesystem::path& path, std::string text) { texts_[path] = std::move(text); }

void FilePlan::check() const {
  std::string there;
  for (const auto& path : created_) {
    if (std::filesystem::exists(folder_ / path)) there += (there.empty() ? "" : ", ") + path.string();
  }
  if (!there.empty()) {
    throw Error("there is already " + there + "; move it out of the way, or use --force to replace it");
  }
  for (const auto& [path, text] : texts_) {
    if (std::filesystem::is_directory(folder_ / path)) cannot_write(folder_ / path, "it is a folder");
  }
}

void FilePlan::commit() {
  check();
  Staged staged;
  for (const auto& [path, text] : texts_) {
    const auto target = folder_ / path;
    if (std::filesystem::exists(target) && read_file(target) == text) continue;
    staged.add(target, text);
    changed_.push_back(path.string());
  }
  staged.finish();
  for (const auto& path : removed_) {
    std::error_code error;
    std::filesystem::remove(folder_ / path, error);
    if (error) throw Error("cannot remove " + (folder_ / path).string() + ": " + error.message());
  }
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::error_code opened(errno, std::generic_category());
  if (!file || std::filesystem::is_directory(path)) {
    throw Error("cannot read " + path.string() + ": " + (file ? "it is a folder" : opened.message()));
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace flyball::cli
