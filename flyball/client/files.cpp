#include "flyball/client/detail/files.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "flyball/base/error.hpp"

namespace flyball::client::detail {
namespace {

// Far beyond any configuration, token or certificate bundle; a device file has no end.
constexpr std::size_t kFileLimit = 16U << 20U;

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
};

[[noreturn]] void fail(const std::string& path, int error) {
  throw InputError({}, path, "cannot read the file: " + std::generic_category().message(error));
}

}  // namespace

std::string read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  if (!file) fail(path, errno);
  std::string text;
  std::string piece(16 * 1024, '\0');
  while (std::feof(file.get()) == 0) {
    errno = 0;
    const std::size_t n = std::fread(piece.data(), 1, piece.size(), file.get());
    if (std::ferror(file.get()) != 0) fail(path, errno);
    text.append(piece, 0, n);
    if (text.size() > kFileLimit) throw InputError({}, path, "the file is larger than 16 MiB; is it the right one?");
  }
  return text;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

}  // namespace flyball::client::detail
