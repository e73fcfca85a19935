// Corpus: objects to fill a cluster with, made from a seed: the same bytes on every machine, made anew whenever asked.
//
//   const auto pods = bench::make_corpus("pods", 10'000);
//   pods->encode({.slot = 7, .version = 1007}, client::Format::protobuf);   // without an envelope, as in a list
//
// | name        | what                                                                                               |
// |-------------|----------------------------------------------------------------------------------------------------|
// | pods        | 70 % of Deployments, 10 % of DaemonSets, 20 % clones of one Pod; about 10 kB each as JSON          |
// | widgets     | custom resources of 1 kB                                                                           |
// | configmaps  | half a kilobyte each                                                                               |
// | secrets     | 3 kB of random bytes each: cannot be packed                                                        |
// | huge        | ConfigMaps of 1 MB                                                                                 |
// | unique      | Pods that have nothing of each other but their shape                                               |
//
// An object has a slot, which it shares with those that come after it when it is deleted (incarnations), and changes
// with its generation. Thread-safety: const members may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "flyball/client/resource.hpp"
#include "flyball/client/wire.hpp"

namespace bench {

struct ObjectState {
  std::size_t slot = 0;
  std::uint32_t incarnation = 0;
  std::uint32_t generation = 0;
  std::uint64_t version = 1;
};

class Corpus {
 public:
  virtual ~Corpus() = default;
  Corpus(const Corpus&) = delete;
  Corpus& operator=(const Corpus&) = delete;

  virtual std::string key(const ObjectState& state) const = 0;  // "namespace/name"
  virtual std::string json(const ObjectState& state) const = 0;
  virtual std::string protobuf(const ObjectState& state) const = 0;
  std::string encode(const ObjectState& state, flyball::client::Format format) const {
    return format == flyball::client::Format::json ? json(state) : protobuf(state);
  }

  std::size_t count() const noexcept { return count_; }
  std::uint64_t seed() const noexcept { return seed_; }
  const flyball::client::Resource& resource() const noexcept { return resource_; }

 protected:
  Corpus(flyball::client::Resource resource, std::size_t count, std::uint64_t seed)
      : resource_(std::move(resource)), count_(count), seed_(seed) {}

 private:
  const flyball::client::Resource resource_;
  const std::size_t count_;
  const std::uint64_t seed_;
};

// Of this annotation's value, zeros of its width, a replay server makes the moment it sends the event.
inline constexpr std::string_view kStampKey = "flyball.dev/stamp";
inline constexpr std::string_view kNoStamp = "00000000000000000000";

// What a corpus is of, without making it. Throws InputError for a name that is none.
flyball::client::Resource resource_of_corpus(std::string_view name);
std::unique_ptr<Corpus> make_corpus(std::string_view name, std::size_t count, std::uint64_t seed = 1);

}  // namespace bench
