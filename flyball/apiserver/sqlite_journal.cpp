#include "flyball/apiserver/sqlite_journal.hpp"

#include <filesystem>
#include <string_view>
#include <utility>

#include <sqlite3.h>

#include "flyball/base/error.hpp"

namespace flyball::apiserver {
namespace {

// In the file's header: ours, and of this shape.
constexpr int kApplication = 0x464c5942;  // "FLYB"
constexpr int kShape = 1;

std::string file_in(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error("cannot make the data folder " + folder + ": " + error.message());
  return (std::filesystem::path(folder) / "objects.db").string();
}

int length(std::string_view text) { return static_cast<int>(text.size()); }

void bind_text(sqlite3_stmt* statement, int place, std::string_view text) {
  sqlite3_bind_text(statement, place, text.data(), length(text), SQLITE_STATIC);
}

std::string_view blob(sqlite3_stmt* row, int column) {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(row, column));
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

}  // namespace

void SqliteJournal::Close::operator()(sqlite3* database) const noexcept { sqlite3_close(database); }
void SqliteJournal::Close::operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }

SqliteJournal::SqliteJournal(const std::string& folder) : path_(file_in(folder)) {
  sqlite3* database = nullptr;
  const int opened = sqlite3_open(path_.c_str(), &database);
  database_.reset(database);
  if (opened != SQLITE_OK) fail("cannot be opened");
  // Held for as long as we live. In WAL mode a commit is a write to the log: no fsync, and nothing half done.
  execute("PRAGMA locking_mode = EXCLUSIVE");
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = NORMAL");
  const Revision application = number("PRAGMA application_id");
  const Revision shape = number("PRAGMA user_version");
  const bool fresh = application == 0 && shape == 0 && number("SELECT count(*) FROM sqlite_master") == 0;
  if (!fresh && application != kApplication) throw Error(path_ + " is a database, but not one of Flyball's");
  if (!fresh && shape != kShape) {
    throw Error(path_ + " was written by another version of Flyball (shape " + std::to_string(shape) +
                "; this one reads shape " + std::to_string(kShape) + "): use another data folder");
  }
  execute("BEGIN IMMEDIATE");
  execute(
      "CREATE TABLE IF NOT EXISTS log (revision INTEGER PRIMARY KEY, resource TEXT NOT NULL, name TEXT NOT NULL, "
      "deleted INTEGER NOT NULL, bytes BLOB NOT NULL)");
  execute("CREATE INDEX IF NOT EXISTS log_by_key ON log (resource, name, revision)");
  execute("CREATE TABLE IF NOT EXISTS compacted (oldest INTEGER NOT NULL)");
  execute("INSERT INTO compacted SELECT 1 WHERE NOT EXISTS (SELECT * FROM compacted)");
  execute(("PRAGMA application_id = " + std::to_string(kApplication)).c_str());
  execute(("PRAGMA user_version = " + std::to_string(kShape)).c_str());
  execute("COMMIT");
  insert_ = prepare("INSERT INTO log (revision, resource, name, deleted, bytes) VALUES (?, ?, ?, ?, ?)");
}

SqliteJournal::~SqliteJournal() = default;

void SqliteJournal::fail(const std::string& what) const {
  const int code = database_ ? sqlite3_errcode(database_.get()) : SQLITE_NOMEM;
  if (code == SQLITE_BUSY) throw Error(path_ + " is in use by another process: stop that, or use another data folder");
  const char* why = database_ ? sqlite3_errmsg(database_.get()) : "no memory";
  throw Error(path_ + " " + what + ": " + why);
}

void SqliteJournal::execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("cannot be used");
}

SqliteJournal::Statement SqliteJournal::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr) != SQLITE_OK) fail("cannot be read");
  return Statement(statement);
}

Revision SqliteJournal::number(const char* sql) {
  const Statement statement = prepare(sql);
  if (sqlite3_step(statement.get()) != SQLITE_ROW) fail("cannot be read");
  return sqlite3_column_int64(statement.get(), 0);
}

void SqliteJournal::run(const Statement& statement) {
  const int result = sqlite3_step(statement.get());
  sqlite3_reset(statement.get());
  sqlite3_clear_bindings(statement.get());
  if (result != SQLITE_DONE) fail("cannot be written");
}

void SqliteJournal::insert(Revision revision, const StoreKey& key, const std::string* bytes, bool deleted) {
  sqlite3_bind_int64(insert_.get(), 1, revision);
  bind_text(insert_.get(), 2, key.resource);
  bind_text(insert_.get(), 3, key.name);
  sqlite3_bind_int(insert_.get(), 4, deleted ? 1 : 0);
  sqlite3_bind_blob(insert_.get(), 5, bytes->data(), length(*bytes), SQLITE_STATIC);
  run(insert_);
}

void SqliteJournal::append(const Change& change) {
  insert(change.revision, change.key, change.is_delete() ? change.last.get() : change.after.get(), change.is_delete());
}

void SqliteJournal::compact(Revision oldest) {
  // What a later row at or before `oldest` replaced, and what was gone by then. The row of `oldest` itself stays: it
  // says how far the revision had come.
  execute("BEGIN IMMEDIATE");
  try {
    const Statement replaced = prepare(
        "DELETE FROM log WHERE revision < ?1 AND (deleted OR EXISTS (SELECT * FROM log AS later WHERE later.resource = "
        "log.resource AND later.name = log.name AND later.revision > log.revision AND later.revision <= ?1))");
    sqlite3_bind_int64(replaced.get(), 1, oldest);
    run(replaced);
    const Statement noted = prepare("UPDATE compacted SET oldest = ?1");
    sqlite3_bind_int64(noted.get(), 1, oldest);
    run(noted);
    execute("COMMIT");
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void SqliteJournal::restart(const Snapshot& snapshot) {
  execute("BEGIN IMMEDIATE");
  try {
    execute("DELETE FROM log");
    for (const auto& [key, stored] : snapshot.objects) insert(stored.revision, key, stored.bytes.get(), false);
    // A row that is nobody's: how far the revision has come.
    const std::string nothing;
    insert(snapshot.revision, {}, &nothing, true);
    const Statement noted = prepare("UPDATE compacted SET oldest = ?1");
    sqlite3_bind_int64(noted.get(), 1, snapshot.revision);
    run(noted);
    execute("COMMIT");
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void SqliteJournal::replay(Store& store) {
  const Statement rows = prepare("SELECT revision, resource, name, deleted, bytes FROM log ORDER BY revision");
  int result = sqlite3_step(rows.get());
  for (; result == SQLITE_ROW; result = sqlite3_step(rows.get())) {
    Change change{.revision = sqlite3_column_int64(rows.get(), 0)};
    change.key = {std::string(blob(rows.get(), 1)), std::string(blob(rows.get(), 2))};
    const bool deleted = sqlite3_column_int(rows.get(), 3) != 0;
    auto bytes = std::make_shared<const StoredText>(blob(rows.get(), 4));
    (deleted ? change.last : change.after) = std::move(bytes);
    store.replay(std::move(change));
  }
  if (result != SQLITE_DONE) fail("cannot be read");
  store.forget(number("SELECT oldest FROM compacted"));
}

}  // namespace flyball::apiserver
