// SourceWatch: says when the files of a project change, by inotify.
//
//   SourceWatch watch(project.folder);
//   poll(watch.file(), …);                // readable: something changed
//   watch.drain();                        // until nothing has changed for a moment; editors write in several steps
//
// Looks at src/ with its folders, at CMakeLists.txt and at flyball.yaml.
//
// Errors: Error when the system has no watches left. Thread-safety: one thread.
#pragma once

#include <filesystem>
#include <string>

namespace flyball::cli {

class SourceWatch {
 public:
  explicit SourceWatch(const std::filesystem::path& project);
  ~SourceWatch();
  SourceWatch(const SourceWatch&) = delete;
  SourceWatch& operator=(const SourceWatch&) = delete;

  int file() const { return file_; }
  // Takes what has happened; gives the name of a file that changed, empty when none of those that count did.
  std::string drain();

 private:
  void add(const std::filesystem::path& folder);

  int file_ = -1;
};

}  // namespace flyball::cli
