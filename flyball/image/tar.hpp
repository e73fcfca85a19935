// Tar archives in memory: a writer whose output depends on nothing but its input, and a reader for what strangers made.
//
//   std::string archive;
//   TarWriter tar(archive);
//   tar.add({.name = "etc/", .kind = TarKind::folder, .mode = 0755});
//   tar.add({.name = "etc/passwd", .mode = 0644, .data = "root:x:0:0::/:\n"});
//   tar.finish();
//
//   TarReader reader(archive);
//   while (const auto entry = reader.next()) use(entry->name, entry->data);
//
// Written is POSIX ustar, with pax records for long names. Read are ustar, pax, GNU long names and large numbers. Names
// come as they stand in the archive: safe_path() makes them safe.
//
// Errors: the reader throws Error for a damaged archive; it never reads beyond it.
//
// Thread-safety: none. Lifetime: an entry's data is a part of the archive's text, which must stay.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flyball::image {

enum class TarKind { file, folder, symlink, hard_link, other };

struct TarEntry {
  std::string name = {};
  TarKind kind = TarKind::file;
  std::uint32_t mode = 0644;
  std::uint64_t uid = 0;
  std::uint64_t gid = 0;
  std::int64_t mtime = 0;
  std::string link = {};  // of a symlink as written; of a hard link the other name
  std::string_view data = {};
};

class TarWriter {
 public:
  explicit TarWriter(std::string& out) : out_(out) {}
  void add(const TarEntry& entry);
  // The two empty blocks at the end.
  void finish();

 private:
  std::string& out_;
};

class TarReader {
 public:
  explicit TarReader(std::string_view archive) : rest_(archive) {}
  // Nothing at the end.
  std::optional<TarEntry> next();

 private:
  // What stands before an entry, for it alone.
  struct Extra {
    std::optional<std::string> name = {};
    std::optional<std::string> link = {};
    std::optional<std::uint64_t> size = {};
  };
  std::string_view take(std::uint64_t size);
  static void read_pax(std::string_view records, Extra& extra);

  std::string_view rest_;
};

// The name below the root it is unpacked into: without "." and slashes too many; empty for the root itself. Throws
// InputError for a name that climbs out with "..".
std::string safe_path(std::string_view name);

}  // namespace flyball::image
