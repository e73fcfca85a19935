#include "flyball/cluster/node/container_request.hpp"

#include <algorithm>
#include <utility>

#include "flyball/cluster/node/env_vars.hpp"

namespace flyball::cluster::node {

namespace core = kube::core::v1;

namespace {

constexpr const char* kPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
constexpr std::size_t kLongestHostname = 63;

std::vector<std::string> command_of(const core::Container& container, const Image& image, const Variables& env) {
  std::vector<std::string> words = container.command.empty() ? image.entrypoint : container.command;
  // A command of its own takes the image's arguments away, too.
  const bool usual = container.command.empty() && container.args.empty();
  const std::vector<std::string>& arguments = usual ? image.cmd : container.args;
  const std::size_t from_image = container.command.empty() ? words.size() : 0;
  words.insert(words.end(), arguments.begin(), arguments.end());
  for (std::size_t i = from_image; i < words.size(); ++i) {
    if (!usual) words[i] = expand(words[i], env);
  }
  if (words.empty()) throw ConfigError("no command specified");
  return words;
}

std::string user_of(const core::Pod& pod, const core::Container& container, const Image& image) {
  const auto& own = container.securityContext;
  const auto& all = pod.spec.securityContext;
  if (own && own->runAsUser) return std::to_string(*own->runAsUser);
  if (all && all->runAsUser) return std::to_string(*all->runAsUser);
  const bool not_root = own && own->runAsNonRoot ? *own->runAsNonRoot : all && all->runAsNonRoot.value_or(false);
  if (image.user.empty() && not_root) return "nobody";
  return image.user;
}

std::optional<std::int64_t> group_of(const core::Pod& pod, const core::Container& container) {
  if (container.securityContext && container.securityContext->runAsGroup) return container.securityContext->runAsGroup;
  return pod.spec.securityContext ? pod.spec.securityContext->runAsGroup : std::nullopt;
}

}  // namespace

std::string hostname_of(const core::Pod& pod) {
  std::string name = pod.spec.hostname.empty() ? pod.metadata.name : pod.spec.hostname;
  if (name.size() > kLongestHostname) name.resize(kLongestHostname);
  while (name.ends_with('-') || name.ends_with('.')) name.pop_back();
  return name;
}

ContainerRequest request_for(const core::Pod& pod, const core::Container& container, const Image& image,
                             const PodSources& sources, const Volumes& volumes) {
  Variables env{{"PATH", kPath}, {"HOSTNAME", hostname_of(pod)}};
  for (const auto& [name, value] : image.env) env[name] = value;
  Variables own = env_of(pod, container, sources);
  ContainerRequest request{.name = container.name, .command = command_of(container, image, own)};
  for (auto& [name, value] : own) env[name] = value;
  if (!image.working_dir.empty()) request.working_dir = image.working_dir;
  if (!container.workingDir.empty()) request.working_dir = container.workingDir;
  request.user = user_of(pod, container, image);
  request.group = group_of(pod, container);
  request.root = image.root;
  request.mounts = volumes.mounts(pod, container, own, sources);
  request.env = std::move(env);
  request.in = container.stdin;
  request.in_once = container.stdinOnce;
  request.tty = container.tty;
  return request;
}

void bind_to(ContainerRequest& request, const Image& image, const std::string& address) {
  const Variables own{{"POD_IP", address}};
  request.env.emplace("POD_IP", address);
  // A command of the pod's own may still be the image's program.
  const auto name = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  const bool is_its_program =
      !image.entrypoint.empty() && name(request.command.front()) == name(image.entrypoint.front());
  if (!is_its_program) return;
  for (const std::string& word : image.bind) request.command.push_back(expand(word, own));
}

}  // namespace flyball::cluster::node
