#include "dev_flags.hpp"

#include <charconv>
#include <map>
#include <system_error>

#include "flyball/base/error.hpp"

namespace flyball::cli {

const std::string_view kDevHelp = R"(flyball dev: a small Kubernetes on this machine

Usage: flyball dev [flags]

  --port N             where it listens on 127.0.0.1 (default: 6443; 0: any free port)
  --data-dir DIR       keep everything there, for the next time (default: in memory)
  --kubeconfig FILE    where the kubeconfig for kubectl goes (default: .flyball/kubeconfig)
  --image NAME=PATH    pods with this image run this program (again for each image)
  --images FILE        the same as a file: docs/cluster.md (default: images.yaml, if it is there)
  --node KIND          how pods run: processes, loopback, status, none (default: the best this machine allows)
  --bare               an API server and nothing else, as in envtest: no controllers, no node, empty namespaces
  --quiet              print nothing but the kubeconfig's path
  --help               this text

It speaks the API of Kubernetes v1.36, custom resources included. Pods run as processes of this machine: there are no
container images, and the image memcached:1.6 is the memcached that is installed. It is made for development and tests,
not for production: whoever can read the kubeconfig may do everything.
)";

namespace {

std::uint16_t port_of(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error("--port: expected a number from 0 to 65535, found \"" + std::string(text) + "\"");
  }
  return port;
}

cluster::NodeKind node_of(std::string_view text) {
  using cluster::NodeKind;
  const std::map<std::string_view, NodeKind> kinds{{"processes", NodeKind::processes},
                                                   {"loopback", NodeKind::loopback},
                                                   {"status", NodeKind::status},
                                                   {"none", NodeKind::none}};
  const auto found = kinds.find(text);
  if (found != kinds.end()) return found->second;
  throw Error("--node: expected processes, loopback, status or none, found \"" + std::string(text) + "\"");
}

std::pair<std::string, std::string> image_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    throw Error("--image: expected NAME=PATH, such as shop/web=./build/web, found \"" + std::string(text) + "\"");
  }
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

bool set_switch(DevFlags& flags, std::string_view name) {
  if (name == "--quiet") return flags.quiet = true;
  if (name == "--bare") return flags.bare = true;
  if (name == "--help" || name == "-h") return flags.help = true;
  return false;
}

bool takes_value(std::string_view name) {
  for (const std::string_view known : {"--port", "--data-dir", "--kubeconfig", "--image", "--images", "--node"}) {
    if (name == known) return true;
  }
  return false;
}

void set_value(DevFlags& flags, std::string_view name, std::string_view value) {
  if (name == "--port") flags.port = port_of(value);
  if (name == "--data-dir") flags.data_dir = value;
  if (name == "--kubeconfig") flags.kubeconfig = value;
  if (name == "--image") flags.images.push_back(image_of(value));
  if (name == "--images") flags.images_file = value;
  if (name == "--node") flags.node = node_of(value);
}

}  // namespace

DevFlags parse_dev_flags(const std::vector<std::string_view>& arguments) {
  DevFlags flags;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].starts_with("--") ? arguments[i].find('=') : std::string_view::npos;
    const std::string_view name = arguments[i].substr(0, equals);
    if (set_switch(flags, name)) continue;
    if (!name.starts_with('-')) {
      throw Error("it takes flags only, found \"" + std::string(arguments[i]) + "\"; `flyball dev --help` lists them");
    }
    if (!takes_value(name)) {
      throw Error("there is no flag \"" + std::string(name) + "\"; `flyball dev --help` lists them");
    }
    if (equals != std::string_view::npos) {
      set_value(flags, name, arguments[i].substr(equals + 1));
      continue;
    }
    if (++i == arguments.size()) throw Error(std::string(name) + " needs a value");
    set_value(flags, name, arguments[i]);
  }
  return flags;
}

}  // namespace flyball::cli
