// FilePlan: files to be written and removed together. Everything is checked first; then all of it happens, or nothing.
//
//   FilePlan plan(project_folder);
//   plan.create("src/main.cpp", text);            // must not be there yet
//   plan.write("flyball.yaml", text);             // may be there
//   plan.remove("tests/shop_test.cpp");
//   plan.commit();
//
// New texts go into files beside their targets first, and take their names when all of them are complete: a full disk
// or a folder that cannot be written leaves everything as it was.
//
// Errors: Error that names every file in the way. Thread-safety: one thread.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace flyball::cli {

class FilePlan {
 public:
  explicit FilePlan(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void create(const std::filesystem::path& path, std::string text);
  void write(const std::filesystem::path& path, std::string text);
  void remove(const std::filesystem::path& path) { removed_.insert(path); }

  // Throws when a file that is to be created is there already.
  void check() const;
  // check(), and then everything. A file whose text is the same already is not touched.
  void commit();

  // What commit() made or changed, in order.
  const std::vector<std::string>& changed() const { return changed_; }
  // Every file that is to be there afterwards, with its text.
  const std::map<std::filesystem::path, std::string>& texts() const { return texts_; }

 private:
  class Staged;

  const std::filesystem::path folder_;
  std::map<std::filesystem::path, std::string> texts_;
  std::set<std::filesystem::path> created_;
  std::set<std::filesystem::path> removed_;
  std::vector<std::string> changed_;
};

// The whole text of a file. Throws Error when it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace flyball::cli
