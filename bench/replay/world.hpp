// World: the objects of a replay server and what becomes of them, encoded before anybody asks.
//
//   World world(clock, make_corpus("pods", 10'000), {Format::protobuf});
//   world.change(World::ChangeKind::modify);                    // an event for those who watch
//   world.expire(0.1);                                          // a tenth changed and nobody was told: watches get 410
//
// Thread-safety: all members may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "corpus/corpus.hpp"
#include "corpus/digest.hpp"

#include "flyball/base/condition.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/random.hpp"
#include "flyball/client/wire.hpp"

namespace bench {

using flyball::client::Format;

class World {
 public:
  enum class ChangeKind : std::uint8_t { modify, replace };  // replace: a delete and another object in its place
  struct Summary {
    std::uint64_t version = 0;
    std::size_t objects = 0;
    std::size_t watchers = 0;
    std::uint64_t events = 0;  // since the start
    std::uint64_t lists = 0;   // lists and initial events begun
    std::uint64_t writes = 0;
    std::map<Format, std::string> digests = {};
  };
  struct Page {
    std::uint64_t version = 0;
    std::vector<std::string> items = {};
    std::size_t next = 0;  // 0: it was the last
  };
  // What a watcher gets next. Ended: its version is no longer there.
  struct News {
    std::string frames = {};
    bool expired = false;
    bool stopped = false;
  };

  World(flyball::Clock& clock, std::unique_ptr<Corpus> corpus, const std::vector<Format>& formats);

  const Corpus& corpus() const { return *corpus_; }
  bool speaks(Format format) const { return items_.contains(format); }

  // Sends one event; of a replacement two. `slot` is chosen by the world's own seed.
  void change(ChangeKind kind);
  // That many objects are modified; encoded first, then sent in one piece of time.
  void burst(std::size_t count);
  void expire(double changed);
  void bookmark();

  Page page(Format format, std::size_t from, std::size_t limit);
  // Of one object, by "namespace/name".
  std::optional<std::string> find(Format format, const std::string& key) const;
  void count_write();

  // A watcher comes, at the version it gives (or the present one); its place in the events is returned, none when its
  // version is gone.
  std::optional<std::uint64_t> join(std::optional<std::uint64_t> version);
  void leave();
  // Waits for events after `place`, and moves it on.
  News news(Format format, std::uint64_t& place, const flyball::Stop& stop);
  std::string bookmark_frame(Format format, std::uint64_t version, bool initial_end) const;
  std::string frame(Format format, std::string_view type, std::string_view item) const;
  std::string expired_frame(Format format) const;
  std::uint64_t version() const;
  Summary summary() const;

 private:
  struct Event {
    std::uint64_t version = 0;
    std::map<Format, std::string> frames = {};
  };

  std::map<Format, std::string> encode(const ObjectState& state) const;
  // JSON with its kind, as it stands in events, also where a list would leave it out: so that bytes can be compared.
  std::string encode(const ObjectState& state, Format format) const;
  void publish(std::string_view type, const std::map<Format, std::string>& items) FLYBALL_REQUIRES(mutex_);
  void set_item(std::size_t slot, std::map<Format, std::string> items) FLYBALL_REQUIRES(mutex_);
  void trim() FLYBALL_REQUIRES(mutex_);
  ObjectState next_state(std::size_t slot, ChangeKind kind) FLYBALL_REQUIRES(mutex_);

  // Constant after construction.
  const std::unique_ptr<Corpus> corpus_;
  std::vector<std::uint32_t> order_;  // slots by their keys, as a server lists them

  mutable flyball::Mutex mutex_;
  flyball::Condition changed_;
  flyball::Random random_;
  std::vector<ObjectState> states_ FLYBALL_GUARDED_BY(mutex_);
  std::map<Format, std::vector<std::string>> items_;  // the keys are constant, the rest guarded by mutex_
  std::map<Format, ContentDigest> digests_ FLYBALL_GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::size_t> by_key_ FLYBALL_GUARDED_BY(mutex_);
  std::deque<Event> log_ FLYBALL_GUARDED_BY(mutex_);
  std::size_t log_bytes_ FLYBALL_GUARDED_BY(mutex_) = 0;
  std::uint64_t log_begin_ FLYBALL_GUARDED_BY(mutex_) = 0;  // how many events came before the first in the log
  std::uint64_t forgotten_ FLYBALL_GUARDED_BY(mutex_) = 0;  // the newest version that is not in it
  std::uint64_t version_ FLYBALL_GUARDED_BY(mutex_) = 0;
  Summary counts_ FLYBALL_GUARDED_BY(mutex_);
};

}  // namespace bench
