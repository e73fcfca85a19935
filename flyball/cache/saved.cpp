#include "flyball/cache/saved.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "flyball/cache/detail/compress.hpp"

// The file: eight bytes that say what it is, then pieces. A piece is its packed length in four bytes and so many bytes;
// a length of zero ends the file. The first piece is the head. In a piece: strings, each behind its length in four
// bytes. In the pieces after the head each object begins with a string of one byte, its format.
namespace flyball::cache {
namespace {

constexpr std::string_view kMagic = "flybca1\n";
constexpr std::size_t kPiece = std::size_t{256} * 1024;
// Of one piece: an object is at most some megabytes.
constexpr std::size_t kLargest = std::size_t{256} << 20U;

void put_number(std::string& to, std::size_t number) {
  for (unsigned shift = 0; shift < 32; shift += 8) to += static_cast<char>((number >> shift) & 0xffU);
}

std::size_t take_number(std::string_view& from) {
  if (from.size() < 4) throw InputError({}, {}, "a piece is cut off");
  std::size_t number = 0;
  for (unsigned i = 0; i < 4; ++i) number |= std::size_t{static_cast<unsigned char>(from[i])} << (8 * i);
  from.remove_prefix(4);
  return number;
}

void put_text(std::string& to, std::string_view text) {
  put_number(to, text.size());
  to += text;
}

std::string_view take_text(std::string_view& from) {
  const std::size_t size = take_number(from);
  if (size > from.size()) throw InputError({}, {}, "a piece is cut off");
  const std::string_view text = from.substr(0, size);
  from.remove_prefix(size);
  return text;
}

std::string why() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe): glibc's is safe

class OpenFile {
 public:
  OpenFile(std::string name, int flags, int mode) : name_(std::move(name)), file_(::open(name_.c_str(), flags, mode)) {}
  ~OpenFile() {
    if (file_ >= 0) ::close(file_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return file_ >= 0; }
  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t done = ::write(file_, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) throw Error("cannot write " + name_ + ": " + why());
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
  }
  void sync() const {
    if (::fsync(file_) != 0) throw Error("cannot write " + name_ + ": " + why());
  }
  // Throws when there is less.
  std::string read(std::size_t size) const {
    std::string bytes(size, '\0');
    for (std::size_t at = 0; at < size;) {
      const ssize_t done = ::read(file_, bytes.data() + at, size - at);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) throw Error("cannot read " + name_ + ": " + why());
      if (done == 0) throw InputError({}, {}, "it is cut off");
      at += static_cast<std::size_t>(done);
    }
    return bytes;
  }

 private:
  const std::string name_;
  const int file_;
};

void write_piece(const OpenFile& file, std::string& piece) {
  const std::string packed = detail::compress_piece(piece);
  std::string size;
  put_number(size, packed.size());
  file.write(size);
  file.write(packed);
  piece.clear();
}

// Empty at the end of the file.
std::string read_piece(const OpenFile& file) {
  const std::string head = file.read(4);
  std::string_view rest = head;
  const std::size_t size = take_number(rest);
  if (size == 0) return {};
  if (size > kLargest) throw InputError({}, {}, "a piece is larger than any can be");
  return detail::decompress_piece(file.read(size), kLargest);
}

void check(std::string_view what, std::string_view is, const std::string& expected) {
  if (is == expected) return;
  throw InputError({}, std::string(what), "is \"" + std::string(is) + "\", not \"" + expected + "\"");
}

}  // namespace

void save_store(const std::string& file, const SavedHead& head, const Snapshot& snapshot) {
  const std::string fresh = file + ".new";
  const OpenFile out(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (!out.is_open()) throw Error("cannot write " + fresh + ": " + why());
  out.write(kMagic);
  std::string piece;
  for (const std::string* text : {&head.cluster, &head.kind, &head.scope, &head.position}) put_text(piece, *text);
  write_piece(out, piece);
  snapshot.each({}, [&](const Object& object) {
    put_text(piece, std::string(1, static_cast<char>(object.format())));
    put_text(piece, object.bytes());
    if (piece.size() >= kPiece) write_piece(out, piece);
  });
  if (!piece.empty()) write_piece(out, piece);
  std::string end;
  put_number(end, 0);
  out.write(end);
  out.sync();
  if (std::rename(fresh.c_str(), file.c_str()) != 0) throw Error("cannot write " + file + ": " + why());
}

std::optional<std::string> load_store(const std::string& file, const SavedHead& expected,
                                      const std::function<void(const Arrival&)>& each) {
  const OpenFile in(file, O_RDONLY | O_CLOEXEC, 0);
  if (!in.is_open()) {
    if (errno == ENOENT) return std::nullopt;
    throw Error("cannot read " + file + ": " + why());
  }
  if (in.read(kMagic.size()) != kMagic) throw InputError({}, {}, "it is no saved cache of this version");
  const std::string head = read_piece(in);
  std::string_view rest = head;
  check("cluster", take_text(rest), expected.cluster);
  check("kind", take_text(rest), expected.kind);
  check("scope", take_text(rest), expected.scope);
  std::string position(take_text(rest));
  if (position.empty()) throw InputError({}, "position", "there is none");
  for (std::string piece; !(piece = read_piece(in)).empty();) {
    for (std::string_view left = piece; !left.empty();) {
      const std::string_view format = take_text(left);
      if (format != std::string_view("\0", 1) && format != "\1") throw InputError({}, "format", "is none we know");
      const auto known = static_cast<Format>(format.front());
      const std::string_view bytes = take_text(left);
      const kube::Metadata metadata =
          known == Format::json ? kube::metadata_of(bytes) : kube::metadata_of_message(bytes);
      each({.format = known, .bytes = bytes, .metadata = &metadata});
    }
  }
  return position;
}

}  // namespace flyball::cache
