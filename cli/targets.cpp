#include "cli/targets.hpp"

#include <algorithm>
#include <cctype>

#include "flyball/kube/time.hpp"

namespace flyball::cli {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<client::Resource> resources_of(Access& access, const std::string& words) {
  std::vector<client::Resource> found;
  for (const std::string& word : split(words, ',')) {
    for (const client::ServedResource& one : access.client().mapper().all({})) {
      if (std::ranges::find(one.categories, word) == one.categories.end()) continue;
      if (std::ranges::find(one.verbs, "list") != one.verbs.end()) found.push_back(one.resource);
    }
    if (found.empty() || word != "all") found.push_back(access.client().mapper().resolve(word, {}));
  }
  return found;
}

}  // namespace

std::vector<Target> targets_of(Access& access, const std::vector<std::string>& words) {
  std::vector<Target> targets;
  if (words.empty()) throw UsageError("say of which kind: pods, or deployments.apps, or pod/NAME");
  if (words.front().find('/') != std::string::npos) {
    for (const std::string& word : words) {
      const std::size_t slash = word.find('/');
      if (slash == std::string::npos || slash == 0 || slash + 1 == word.size()) {
        throw UsageError("expected KIND/NAME, as the words before it, found \"" + word + "\"");
      }
      targets.push_back({access.client().mapper().resolve(word.substr(0, slash), {}), word.substr(slash + 1)});
    }
    return targets;
  }
  const auto resources = resources_of(access, words.front());
  for (const client::Resource& resource : resources) {
    if (words.size() == 1) targets.push_back({resource, ""});
    for (std::size_t i = 1; i < words.size(); ++i) targets.push_back({resource, words[i]});
  }
  return targets;
}

std::vector<Target> named_targets(Access& access, const std::vector<std::string>& words) {
  auto targets = targets_of(access, words);
  for (const Target& target : targets) {
    if (target.name.empty()) throw UsageError("say which " + title_of(target.resource) + ": KIND NAME, or KIND/NAME");
  }
  return targets;
}

kube::ObjectKey key_of(const Target& target, const Access& access) {
  return {target.resource.namespaced ? access.namespace_of_choice() : "", target.name};
}

std::string title_of(const client::Resource& resource) {
  std::string kind = resource.kind.kind;
  std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return resource.kind.group.empty() ? kind : kind + "." + resource.kind.group;
}

std::string title_of(const client::Resource& resource, const std::string& name) {
  return title_of(resource) + "/" + name;
}

Duration duration_of(const std::string& flag, const std::string& text) {
  const bool seconds = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos && text.size() < 10;
  if (seconds) return std::chrono::seconds(std::stoll(text));
  try {
    return kube::Duration::parse(text).as<Duration>();
  } catch (const Error&) {
    throw UsageError("--" + flag + ": expected a time such as 90s, 5m or 1h30m, found \"" + text + "\"");
  }
}

}  // namespace flyball::cli
