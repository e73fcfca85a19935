#include "flyball/cache/saved.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/manual_clock.hpp"
#include "flyball/cache/cache.hpp"
#include "flyball/cache/detail/tiny_server_for_test.hpp"
#include "flyball/client/local_transport.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::cache {
namespace {

using namespace std::chrono_literals;
namespace core = kube::core::v1;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct SavedTest : testing::Test {
  SavedTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "flyball-saved-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~SavedTest() override {
    stop();
    std::filesystem::remove_all(folder);
  }

  void start(const std::string& cluster = "https://here") {
    // No thread of its own: the listener is there before the watch goes on.
    cache.emplace(
        client,
        CacheOptions{.saved = {.folder = folder, .cluster = cluster}, .threads = false, .log = Logger(logs, "cache")});
    maps = cache->subscribe<core::ConfigMap>({}, [this](const Change& change) {
      heard.push_back(std::string(to_string(change.type())) + " " + change.key().name);
    });
    poll();
  }
  void poll() {
    for (bool worked = true; worked;) {
      worked = false;
      for (const auto& reflector : cache->reflectors()) worked = reflector->poll({}) || worked;
    }
  }
  void stop() {
    maps = {};
    cache.reset();
    heard.clear();
    sink.take();
    server.take_requests();
  }
  std::string file() const { return folder + "/configmaps.cache"; }
  std::string content() const {
    std::ifstream in(file(), std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  void write(const std::string& text) const { std::ofstream(file(), std::ios::binary) << text; }

  std::string folder;
  ManualClock clock;
  Random random{1};
  CapturingSink sink;
  std::shared_ptr<LogCore> logs = std::make_shared<LogCore>(clock, sink);
  detail::TinyServer server{clock};
  client::LocalTransport transport{clock, server};
  Client client{transport, clock, random};
  std::vector<std::string> heard;
  std::optional<Cache> cache;
  Watching maps;
};

TEST_F(SavedTest, the_next_start_takes_up_the_watch_where_this_one_ended) {
  server.put({.name = "a", .data = "one"});
  server.put({.name = "b"});
  start();
  stop();
  server.put({.name = "c"});
  server.remove("b");
  start();
  EXPECT_THAT(server.take_requests(), ElementsAre("configmaps@102"));
  EXPECT_THAT(heard, ElementsAre("added a", "added b", "added c", "deleted b"));
  EXPECT_EQ(cache->get<core::ConfigMap>({"shop", "a"}).data.at("text"), "one");
}

TEST_F(SavedTest, when_the_server_has_forgotten_everything_is_read_again) {
  server.put({.name = "a"});
  server.put({.name = "b"});
  start();
  stop();
  server.remove("b");
  server.put({.name = "c"});
  server.compact();
  start();
  clock.advance(5s);
  poll();
  EXPECT_THAT(heard, ElementsAre("added a", "added b", "added c", "deleted b"));
}

TEST_F(SavedTest, the_file_is_for_its_owner_alone) {
  start();
  stop();
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(file()).permissions(), perms::owner_read | perms::owner_write);
}

TEST_F(SavedTest, a_file_of_another_cluster_is_left_aside_with_a_line_in_the_log) {
  server.put({.name = "a"});
  start("https://there");
  stop();
  start("https://here");
  EXPECT_THAT(server.take_requests(), ElementsAre("configmaps"));
  EXPECT_THAT(sink.take(), HasSubstr("https://there"));
  EXPECT_THAT(heard, ElementsAre("added a"));
}

TEST_F(SavedTest, a_damaged_file_is_left_aside_wherever_it_is_damaged) {
  for (int i = 0; i < 5; ++i) server.put({.name = "a" + std::to_string(i)});
  start();
  stop();
  const std::string whole = content();
  ASSERT_GT(whole.size(), 100);
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    SCOPED_TRACE(at);
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    write(damaged);
    start();
    EXPECT_EQ(maps.store().count(), 5);
    EXPECT_THAT(sink.take(), HasSubstr("the saved cache cannot be used"));
    EXPECT_THAT(server.take_requests(), Not(Contains(HasSubstr("@"))));
    maps = {};
    cache.reset();
  }
}

TEST_F(SavedTest, a_file_that_is_cut_off_is_left_aside) {
  server.put({.name = "a"});
  start();
  stop();
  const std::string whole = content();
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, whole.size() / 2, whole.size() - 1}) {
    write(whole.substr(0, size));
    start();
    EXPECT_THAT(sink.take(), HasSubstr("the saved cache cannot be used"));
    EXPECT_EQ(maps.store().count(), 1);
    maps = {};
    cache.reset();
  }
}

TEST_F(SavedTest, a_folder_that_is_not_there_is_said_and_harmless) {
  std::filesystem::remove_all(folder);
  start();
  maps = {};
  EXPECT_THAT(sink.take(), HasSubstr("the cache was not saved"));
}

}  // namespace
}  // namespace flyball::cache
