#include "cli/dev_flags.hpp"

#include <map>
#include <string_view>

#include "cli/flags.hpp"

namespace flyball::cli {
namespace {

cluster::NodeKind node_of(const std::string& text) {
  using cluster::NodeKind;
  const std::map<std::string_view, NodeKind> kinds{{"best", NodeKind::best},
                                                   {"processes", NodeKind::processes},
                                                   {"loopback", NodeKind::loopback},
                                                   {"status", NodeKind::status},
                                                   {"none", NodeKind::none}};
  return kinds.at(text);
}

std::pair<std::string, std::string> image_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError("--image: expected NAME=PATH, such as shop/web=./build/web, found \"" + std::string(text) + "\"");
  }
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

}  // namespace

std::vector<Flag> dev_flags() {
  return {
      {.name = "port",
       .value = "N",
       .help = "where it listens on 127.0.0.1; 0: any free port",
       .fallback = std::to_string(DevFlags().port)},
      {.name = "data-dir", .value = "DIR", .help = "keep everything there, for the next time; without it: in memory"},
      {.name = "kubeconfig",
       .value = "FILE",
       .help = "where the kubeconfig for kubectl goes",
       .fallback = DevFlags().kubeconfig},
      {.name = "image",
       .value = "NAME=PATH",
       .help = "pods with this image run this program, or with oci:PATH that image",
       .repeats = true},
      {.name = "images",
       .value = "FILE",
       .help = "the same as a file, as docs/cluster.md has it; without it: images.yaml, if it is there"},
      {.name = "install-images",
       .help = "a program that is missing comes from its Debian package: apt-get, as root or with sudo"},
      {.name = "node",
       .value = "KIND",
       .help = "how pods run; best is what this machine allows",
       .fallback = "best",
       .choices = {"best", "processes", "loopback", "status", "none"}},
      {.name = "bare",
       .help = "an API server and nothing else, as in envtest: no controllers, no node, empty namespaces"},
      {.name = "quiet", .help = "print nothing but the kubeconfig's path"},
  };
}

DevFlags dev_flags_of(const Given& given) {
  DevFlags flags{.port = static_cast<std::uint16_t>(given.number("port", 0, 65535)),
                 .data_dir = given.text("data-dir"),
                 .kubeconfig = given.text("kubeconfig"),
                 .node = node_of(given.text("node")),
                 .images = {},
                 .images_file = given.text("images"),
                 .install_images = given.on("install-images"),
                 .bare = given.on("bare"),
                 .quiet = given.on("quiet")};
  for (const std::string& image : given.all("image")) flags.images.push_back(image_of(image));
  return flags;
}

}  // namespace flyball::cli
