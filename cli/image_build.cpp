// flyball image build: an image around the operator, without Docker, the same bytes every time.
#include <charconv>
#include <filesystem>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/image_store.hpp"

#include "flyball/image/build.hpp"
#include "flyball/image/elf.hpp"
#include "flyball/image/reference.hpp"

namespace flyball::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCertificates = "/etc/ssl/certs/ca-certificates.crt";

bool is_program(const fs::path& path) {
  std::error_code none;
  const auto status = fs::status(path, none);
  return fs::is_regular_file(status) && (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
}

// What a project builds: named after its folder, or the only program in build/ that is no test.
fs::path find_binary(const Io& io) {
  const fs::path folder = io.path("build");
  fs::path named = folder / fs::absolute(io.folder).filename();
  if (is_program(named)) return named;
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (is_program(entry.path()) && entry.path().filename() != "tests") found.push_back(entry.path());
  }
  if (found.size() == 1) return found.front();
  throw Error(found.empty() ? "there is no program in build/; build the project, or name the program with --binary"
                            : "build/ has several programs; name one with --binary");
}

// The agreed way to say when something was built: reproducible-builds.org.
std::int64_t build_time(const Io& io) {
  const std::string text = io.variable("SOURCE_DATE_EPOCH");
  if (text.empty()) return 0;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0) {
    throw UsageError("SOURCE_DATE_EPOCH: expected seconds since 1970, found \"" + text + "\"");
  }
  return seconds;
}

std::string certificates(const Given& given, const Io& io) {
  if (given.has("ca-certificates")) return image::read_file(io.path(given.text("ca-certificates")).string());
  if (fs::exists(kCertificates)) return image::read_file(kCertificates);
  io.err << "note: " << kCertificates << " is not on this machine, so the image has no certificate authorities; "
         << "--ca-certificates names a file with them\n";
  return "";
}

image::Texts labels_of(const Given& given) {
  image::Texts labels;
  for (const std::string& text : given.all("label")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError("--label: expected NAME=VALUE, found \"" + text + "\"");
    }
    labels[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return labels;
}

int build(const Given& given, Io& io) {
  const fs::path binary = given.has("binary") ? io.path(given.text("binary")) : find_binary(io);
  const std::string program = image::read_file(binary.string());
  const std::string name = given.has("tag") ? given.text("tag") : binary.filename().string() + ":latest";
  image::Reference::parse(name);
  RealClock clock;
  const image::Image image = [&] {
    try {
      return image::build_image(program, {.name = binary.filename().string(),
                                          .certificate_authorities = certificates(given, io),
                                          .time = build_time(io),
                                          .arguments = given.all("arg"),
                                          .labels = labels_of(given),
                                          .libraries = image::shared_libraries(clock, binary.string(), {}),
                                          .keep_symbols = given.on("keep-symbols")});
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      throw Error(binary.string() + ": " + error.what());
    }
  }();
  const std::string place = put_image(image, name, given.text("file"), given.text("format"), io);
  io.out << name << "\n  digest   " << image.digest() << "\n  size     " << size_text(image.packed_size())
         << " packed\n  place    " << place << "\n";
  return kOk;
}

}  // namespace

Command image_build_command() {
  return {
      .name = "image build",
      .topic = Topic::image,
      .summary = "an image around the operator, without Docker",
      .about =
          "The image holds the program, its shared libraries where it has some (a program linked with\n"
          "-static has none), the certificate authorities of this machine, and the user nonroot (65532),\n"
          "as whom it runs. The same program gives the same bytes; SOURCE_DATE_EPOCH sets the time of\n"
          "all files, which is 1970 otherwise.",
      .flags = {{.name = "tag", .letter = 't', .value = "NAME", .help = "the image's name; without it: the program's"},
                {.name = "binary", .value = "PATH", .help = "the program; without it: the one in build/"},
                {.name = "file",
                 .letter = 'f',
                 .value = "OUT",
                 .help = "a folder, or an archive when it ends with .tar; without it: .flyball/images, where `flyball "
                         "dev` looks"},
                {.name = "format",
                 .value = "FORMAT",
                 .help = "an OCI layout, or what `docker load` takes",
                 .fallback = "oci",
                 .choices = {"oci", "docker-archive"}},
                {.name = "arg",
                 .value = "WORD",
                 .help = "an argument the program gets unless a pod has its own",
                 .repeats = true},
                {.name = "label", .value = "NAME=VALUE", .help = "a label of the image", .repeats = true},
                {.name = "ca-certificates",
                 .value = "FILE",
                 .help = "instead of this machine's certificate authorities"},
                {.name = "keep-symbols", .help = "keep what only a debugger needs"}},
      .examples = {{"flyball image build -t shop/web-operator:1", "into .flyball/images: `flyball dev` runs it"},
                   {"flyball image build -t shop/web-operator:1 --format docker-archive -f web.tar",
                    "for `docker load -i web.tar` or `kind load image-archive web.tar`"}},
      .run = build};
}

}  // namespace flyball::cli
