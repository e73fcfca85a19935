// SqliteJournal: the store's history in a file, so that what was acknowledged survives the end of the process, however
// it comes.
//
//   SqliteJournal journal("/var/lib/flyball");
//   Store store(clock, &journal);
//   journal.replay(store);                     // once, before anybody uses the store
//
// Each write is a row, appended before the writer hears of it, so that kill -9 loses nothing. The operating system
// writes it to the disk when it likes: a power cut may lose the last moments, but never leaves a half write. The
// history comes back with the objects: a client goes on watching where it was.
//
// One process at a time: a second one gets an Error that says who is in the way.
//
// Thread-safety: the store calls it under its lock; replay() from one thread, before.
#pragma once

#include <memory>
#include <string>

#include "flyball/apiserver/store.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace flyball::apiserver {

class SqliteJournal final : public Journal {
 public:
  // In `folder`, which is made when it is not there. Throws Error with the file and what is wrong with it.
  explicit SqliteJournal(const std::string& folder);
  ~SqliteJournal() override;

  void replay(Store& store);

  void append(const Change& change) override;
  void compact(Revision oldest) override;
  void restart(const Snapshot& snapshot) override;

  const std::string& path() const noexcept { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const noexcept;
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Close>;

  void execute(const char* sql);
  Statement prepare(const char* sql);
  void insert(Revision revision, const StoreKey& key, const std::string* bytes, bool deleted);
  // Runs a statement that returns no rows, and makes it ready for the next time.
  void run(const Statement& statement);
  Revision number(const char* sql);
  [[noreturn]] void fail(const std::string& what) const;

  // Constant after construction.
  const std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
  Statement insert_;
};

}  // namespace flyball::apiserver
