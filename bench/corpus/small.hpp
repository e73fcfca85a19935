// The corpora that are not Pods. Private to the corpus.
#pragma once

#include <cstdint>
#include <string>

#include "corpus/corpus.hpp"

namespace bench {

class SmallCorpus final : public Corpus {
 public:
  enum class Kind : std::uint8_t { widget, config_map, secret, huge };
  SmallCorpus(Kind kind, flyball::client::Resource resource, std::size_t count, std::uint64_t seed);

  std::string key(const ObjectState& state) const override;
  std::string json(const ObjectState& state) const override;
  std::string protobuf(const ObjectState& state) const override;

 private:
  const Kind kind_;
};

}  // namespace bench
