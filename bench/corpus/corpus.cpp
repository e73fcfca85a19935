#include "corpus/corpus.hpp"

#include "corpus/pods.hpp"
#include "corpus/small.hpp"

#include "flyball/base/error.hpp"
#include "flyball/kube/core/v1.hpp"

namespace bench {

namespace core = flyball::kube::core::v1;
using flyball::client::Resource;
using flyball::client::resource_of;

Resource resource_of_corpus(std::string_view name) {
  if (name == "pods" || name == "unique") return resource_of<core::Pod>();
  if (name == "configmaps" || name == "huge") return resource_of<core::ConfigMap>();
  if (name == "secrets") return resource_of<core::Secret>();
  if (name == "widgets") return {.kind = {"shop.example.com", "v1", "Widget"}, .plural = "widgets", .status = true};
  throw flyball::InputError(
      {}, "corpus",
      "there is no \"" + std::string(name) + "\"; there are pods, widgets, configmaps, secrets, huge and unique");
}

std::unique_ptr<Corpus> make_corpus(std::string_view name, std::size_t count, std::uint64_t seed) {
  using Kind = SmallCorpus::Kind;
  Resource resource = resource_of_corpus(name);
  if (name == "pods" || name == "unique") {
    return std::make_unique<PodCorpus>(name == "unique", std::move(resource), count, seed);
  }
  const Kind kind = name == "widgets"   ? Kind::widget
                    : name == "secrets" ? Kind::secret
                    : name == "huge"    ? Kind::huge
                                        : Kind::config_map;
  return std::make_unique<SmallCorpus>(kind, std::move(resource), count, seed);
}

}  // namespace bench
