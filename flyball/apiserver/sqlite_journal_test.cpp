#include "flyball/apiserver/sqlite_journal.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace flyball::apiserver {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "flyball-journal-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error("no temporary folder");
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path;
};

Store::Make text(std::string words) {
  return [words = std::move(words)](Revision next) { return words + "@" + std::to_string(next); };
}

StoreKey pod(std::string name) { return {"pods", std::move(name)}; }

// A store with its journal, brought back.
struct World {
  explicit World(const std::string& folder) : journal(folder), store(clock, &journal) { journal.replay(store); }
  RealClock clock;
  SqliteJournal journal;
  Store store;
};

TEST(SqliteJournal, what_was_written_is_there_again_with_revision_and_history) {
  const Folder folder;
  Revision end = 0;
  {
    World world(folder.path);
    world.store.put(pod("a"), kAbsent, text("one"));
    world.store.put(pod("b"), kAbsent, text("one"));
    world.store.put(pod("a"), kAnything, text("two"));
    end = world.store.erase(pod("b"), kAnything, text("end"));
  }
  World world(folder.path);
  EXPECT_EQ(world.store.revision(), end);
  EXPECT_EQ(*world.store.find(pod("a"))->bytes, "two@4");
  EXPECT_EQ(world.store.find(pod("a"))->revision, 4);
  EXPECT_FALSE(world.store.find(pod("b")));
  const auto changes = world.store.follow("pods", 3).take();
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(*changes[0]->before.bytes, "one@2");
  EXPECT_EQ(*changes[1]->last, "end@5");
  EXPECT_EQ(world.store.list("pods", {.at = 3}).items.size(), 2U);
}

TEST(SqliteJournal, compaction_holds_after_a_restart_and_the_revision_never_goes_back) {
  const Folder folder;
  {
    World world(folder.path);
    world.store.put(pod("a"), kAbsent, text("one"));
    world.store.put(pod("a"), kAnything, text("two"));
    world.store.put(pod("b"), kAbsent, text("one"));
    world.store.erase(pod("b"), kAnything, text("end"));
    world.store.compact(world.store.revision());
  }
  World world(folder.path);
  EXPECT_EQ(world.store.revision(), 5);
  EXPECT_EQ(world.store.oldest(), 5);
  EXPECT_EQ(*world.store.find(pod("a"))->bytes, "two@3");
  EXPECT_EQ(world.store.count("pods"), 1U);
  EXPECT_THROW(world.store.follow("pods", 4), Compacted);
  EXPECT_EQ(world.store.put(pod("b"), kAbsent, text("new")), 6);
}

TEST(SqliteJournal, a_restored_snapshot_is_what_the_next_start_finds) {
  const Folder folder;
  Revision revision = 0;
  {
    World world(folder.path);
    world.store.put(pod("a"), kAbsent, text("one"));
    const Snapshot then = world.store.snapshot();
    world.store.put(pod("a"), kAnything, text("two"));
    world.store.restore(then);
    revision = world.store.revision();
  }
  World world(folder.path);
  EXPECT_EQ(*world.store.find(pod("a"))->bytes, "one@2");
  EXPECT_EQ(world.store.revision(), revision);
  EXPECT_EQ(world.store.oldest(), revision);
}

TEST(SqliteJournal, refuses_a_file_that_is_not_its_own) {
  const Folder folder;
  std::ofstream(folder.path + "/objects.db") << std::string(5000, 'x');
  EXPECT_THAT([&] { SqliteJournal journal(folder.path); }, ThrowsMessage<Error>(HasSubstr("file is not a database")));
  EXPECT_THAT([&] { SqliteJournal journal(folder.path + "/objects.db/below"); },
              ThrowsMessage<Error>(HasSubstr("cannot make the data folder")));
}

// A child that writes until it is killed, and says after each write which one is done.
[[noreturn]] void write_for_ever(const std::string& folder, int done) {
  World world(folder);
  for (int i = static_cast<int>(world.store.count("pods"));; ++i) {
    const Revision revision = world.store.put(pod(std::to_string(i)), kAbsent, text("t"));
    world.store.put({"counters", "c"}, kAnything, text(std::to_string(i)));
    if (write(done, &revision, sizeof(revision)) != sizeof(revision)) _exit(1);
  }
}

TEST(SqliteJournal, a_write_that_was_acknowledged_survives_kill_9) {
  const Folder folder;
  const int rounds = std::getenv("FLYBALL_NIGHTLY") != nullptr ? 200 : 20;
  Revision greatest = 0;
  for (int round = 0; round < rounds; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) write_for_ever(folder.path, pipe_ends[1]);
    close(pipe_ends[1]);
    Revision revision = 0;
    // Somewhere within the storm: after some acknowledged writes, in the middle of whatever comes next.
    for (int i = 0; i <= round % 7 && read(pipe_ends[0], &revision, sizeof(revision)) == sizeof(revision); ++i) {
    }
    kill(child, SIGKILL);
    while (read(pipe_ends[0], &revision, sizeof(revision)) == sizeof(revision)) {
    }
    close(pipe_ends[0]);
    waitpid(child, nullptr, 0);

    World world(folder.path);
    const Page page = world.store.list("pods");
    EXPECT_GE(world.store.revision(), revision);
    EXPECT_GT(world.store.revision(), greatest);
    greatest = world.store.revision();
    bool found = false;
    for (const auto& [name, stored] : page.items) {
      EXPECT_EQ(*stored.bytes, "t@" + std::to_string(stored.revision)) << "a half write";
      found = found || stored.revision == revision;
    }
    EXPECT_TRUE(found) << "acknowledged at revision " << revision << " and lost";
  }
}

TEST(SqliteJournal, a_second_process_is_told_that_the_file_is_in_use) {
  const Folder folder;
  const World first(folder.path);
  const pid_t child = fork();
  if (child == 0) {
    try {
      const SqliteJournal second(folder.path);
      _exit(1);
    } catch (const Error& error) {
      _exit(std::string(error.what()).find("is in use by another process") == std::string::npos ? 2 : 0);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace flyball::apiserver
