// flyball image push and pull: to and from a registry.
#include <ostream>

#include "cli/commands.hpp"
#include "cli/flags.hpp"
#include "cli/image_store.hpp"

#include "flyball/image/registry.hpp"

namespace flyball::cli {
namespace {

std::vector<Flag> with_registry(std::vector<Flag> own) {
  own.push_back({.name = "plain-http", .help = "without TLS; the own machine (localhost) needs no flag for that"});
  own.push_back({.name = "ca-file",
                 .value = "FILE",
                 .help = "whom to trust as the registry, instead of the system's authorities"});
  own.push_back({.name = "quiet", .letter = 'q', .help = "print nothing but the digest"});
  return own;
}

image::RegistryOptions options_of(const Given& given, Io& io, const image::Logins& logins) {
  image::RegistryOptions options{.logins = &logins, .plain_http = given.on("plain-http")};
  if (given.has("ca-file")) options.tls.ca_file = io.path(given.text("ca-file")).string();
  if (!given.on("quiet")) options.progress = [&io](const std::string& line) { io.err << line << std::endl; };
  return options;
}

int push(const Given& given, Io& io) {
  const auto to = image::Reference::parse(given.argument(0));
  const image::Image image =
      find_image(given.has("image") ? given.text("image") : given.argument(0), given.text("from"), io);
  RealClock clock;
  const image::Logins logins(clock, io.variable);
  image::Registry registry(clock, options_of(given, io, logins));
  const std::string digest = registry.push(image, to, {});
  if (!given.on("quiet")) io.err << "  " << to.text() << "\n";
  io.out << digest << "\n";
  return kOk;
}

int pull(const Given& given, Io& io) {
  const auto from = image::Reference::parse(given.argument(0));
  RealClock clock;
  const image::Logins logins(clock, io.variable);
  image::Registry registry(clock, options_of(given, io, logins));
  const image::Image image = registry.pull(from, {});
  const std::string place = put_image(image, given.argument(0), given.text("file"), given.text("format"), io);
  if (!given.on("quiet")) io.err << "  in " << place << "\n";
  io.out << image.digest() << "\n";
  return kOk;
}

constexpr const char* kLogins =
    "Logins are those of docker, podman and skopeo: $REGISTRY_AUTH_FILE, $DOCKER_CONFIG/config.json,\n"
    "~/.docker/config.json, with their credential helpers.";

}  // namespace

Command image_push_command() {
  return {
      .name = "image push",
      .topic = Topic::image,
      .summary = "send an image to a registry",
      .about = kLogins,
      .arguments = "NAME",
      .least_arguments = 1,
      .most_arguments = 1,
      .flags = with_registry(
          {{.name = "image", .value = "NAME", .help = "which image is sent; without it: the one of the same name"},
           {.name = "from", .value = "PATH", .help = "a layout or archive it is in; without it: .flyball/images"}}),
      .examples = {{"flyball image push registry.example.com/shop/web-operator:1", "what was built under that name"},
                   {"flyball image push localhost:5000/web:1 --from web.tar", "out of an archive"}},
      .run = push};
}

Command image_pull_command() {
  return {
      .name = "image pull",
      .topic = Topic::image,
      .summary = "fetch an image from a registry",
      .about = kLogins,
      .arguments = "NAME",
      .least_arguments = 1,
      .most_arguments = 1,
      .flags = with_registry({{.name = "file",
                               .letter = 'f',
                               .value = "OUT",
                               .help = "a folder, or an archive when it ends with .tar; without it: .flyball/images"},
                              {.name = "format",
                               .value = "FORMAT",
                               .help = "an OCI layout, or what `docker load` takes",
                               .fallback = "oci",
                               .choices = {"oci", "docker-archive"}}}),
      .examples = {{"flyball image pull localhost:5000/web:1", "`flyball dev` then runs pods with that image"}},
      .run = pull};
}

}  // namespace flyball::cli
