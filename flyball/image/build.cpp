#include "flyball/image/build.hpp"

#include <map>
#include <set>

#include "flyball/base/error.hpp"
#include "flyball/base/text.hpp"
#include "flyball/image/elf.hpp"
#include "flyball/image/tar.hpp"

namespace flyball::image {
namespace {

// The number distroless images and Kubernetes' examples use for it.
constexpr std::uint64_t kNonroot = 65532;
constexpr const char* kPasswd =
    "root:x:0:0:root:/root:/sbin/nologin\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n"
    "nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n";
constexpr const char* kGroup = "root:x:0:\nnobody:x:65534:\nnonroot:x:65532:\n";
constexpr const char* kCertificates = "etc/ssl/certs/ca-certificates.crt";

// What every program needs: a layer that stays the same from build to build, so that nodes have it already.
std::string base_layer(const BuildOptions& options) {
  std::string layer;
  TarWriter tar(layer);
  const auto folder = [&](const char* name, std::uint32_t mode, std::uint64_t owner) {
    tar.add({.name = name, .kind = TarKind::folder, .mode = mode, .uid = owner, .gid = owner, .mtime = options.time});
  };
  const auto file = [&](const char* name, std::string_view text) {
    tar.add({.name = name, .mode = 0644, .mtime = options.time, .data = text});
  };
  folder("etc/", 0755, 0);
  file("etc/group", kGroup);
  file("etc/nsswitch.conf", "hosts: files dns\n");
  file("etc/passwd", kPasswd);
  if (!options.certificate_authorities.empty()) {
    folder("etc/ssl/", 0755, 0);
    folder("etc/ssl/certs/", 0755, 0);
    file(kCertificates, options.certificate_authorities);
  }
  folder("home/", 0755, 0);
  folder("home/nonroot/", 0700, kNonroot);
  folder("tmp/", 01777, 0);
  tar.finish();
  return layer;
}

std::string program_layer(std::string_view program, const BuildOptions& options) {
  std::string layer;
  TarWriter tar(layer);
  tar.add({.name = options.name, .mode = 0755, .mtime = options.time, .data = program});
  tar.finish();
  return layer;
}

std::string library_layer(const BuildOptions& options) {
  std::string layer;
  TarWriter tar(layer);
  std::map<std::string, std::string_view> files;
  for (const ImageFile& library : options.libraries) files[safe_path(library.path)] = library.bytes;
  std::set<std::string> made;
  for (const auto& [path, bytes] : files) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      const std::string folder = path.substr(0, slash + 1);
      if (!made.insert(folder).second) continue;
      tar.add({.name = folder, .kind = TarKind::folder, .mode = 0755, .mtime = options.time});
    }
    tar.add({.name = path, .mode = 0755, .mtime = options.time, .data = bytes});
  }
  tar.finish();
  return layer;
}

std::string time_text(std::int64_t seconds) {
  std::string text = rfc3339_millis(WallTime(std::chrono::seconds(seconds)));
  return text.replace(text.find('.'), 4, "");
}

}  // namespace

Image build_image(std::string_view program, const BuildOptions& options) {
  const ElfFacts facts = elf_facts(program);
  if (!facts.interpreter.empty() && options.libraries.empty()) {
    throw Error("the program needs shared libraries (its loader is " + facts.interpreter +
                "), and the image has none: link it with -static");
  }
  const std::string time = time_text(options.time);
  ImageConfig config{.created = time,
                     .architecture = facts.architecture,
                     .os = "linux",
                     .config = {.User = "65532:65532",
                                .Env = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
                                .Entrypoint = {"/" + options.name},
                                .Cmd = options.arguments,
                                .WorkingDir = "/",
                                .Labels = options.labels},
                     .history = {{.created = time, .created_by = "flyball image build: users, certificates"},
                                 {.created = time, .created_by = "flyball image build: " + options.name}}};
  if (!options.certificate_authorities.empty()) {
    config.config.Env.push_back(std::string("SSL_CERT_FILE=/") + kCertificates);
  }
  const std::string kept = options.keep_symbols ? std::string(program) : stripped(program);
  std::vector<std::string> layers{base_layer(options)};
  if (!options.libraries.empty()) {
    layers.push_back(library_layer(options));
    config.history.insert(config.history.begin() + 1,
                          {.created = time, .created_by = "flyball image build: shared libraries"});
  }
  layers.push_back(program_layer(kept, options));
  return make_image(std::move(config), layers);
}

}  // namespace flyball::image
