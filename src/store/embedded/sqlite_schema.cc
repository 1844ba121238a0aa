#include "store/embedded/sqlite_schema.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace slipway::store {

namespace {

constexpr std::int64_t kApplicationId = 0x736c7077;  // "slpw"
constexpr std::int64_t kSchemaVersion = 1;

// Before anything is read, in this order.
constexpr const char* kSetUp =
    // One process owns the file. Held until close, and the kernel lets go when a process dies. It
    // also spares WAL its shared memory file, whose pages could not be allocated on a full disk
    // without SIGBUS.
    "PRAGMA locking_mode=EXCLUSIVE;"
    // Objects are 1 to 4 kB: three or four to a page instead of one.
    "PRAGMA page_size=8192;"
    // One sequential write and one fsync a commit; FULL, because acknowledged means on disk.
    "PRAGMA journal_mode=WAL;"
    "PRAGMA synchronous=FULL;"
    // Everything is in memory already; the cache only serves the pages that commits touch.
    "PRAGMA cache_size=-2048;"
    "PRAGMA temp_store=MEMORY;"
    // About 16 MB of log between checkpoints, and the file is cut back to that after a burst.
    "PRAGMA wal_autocheckpoint=2000;"
    "PRAGMA journal_size_limit=16777216;"
    // Notices damaged pages when they are read instead of later.
    "PRAGMA cell_size_check=ON;"
    "PRAGMA trusted_schema=OFF;";

// Rows are found by an id the engine keeps, so new objects go to the end of one tree and no second
// index is written. That names are unique is the engine's matter, and checked when it loads.
constexpr const char* kSchema =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE objects(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ns TEXT NOT NULL, name TEXT "
    "NOT NULL,"
    " version INTEGER NOT NULL, api_version TEXT NOT NULL, labels BLOB NOT NULL, deleting INTEGER "
    "NOT NULL,"
    " bytes BLOB NOT NULL);"
    "CREATE TABLE meta(id INTEGER PRIMARY KEY CHECK(id = 1), version INTEGER NOT NULL);"
    "INSERT INTO meta VALUES(1, 0);"
    "PRAGMA application_id=1936486519;"
    "PRAGMA user_version=1;"
    "COMMIT;";
static_assert(kApplicationId == 1936486519 && kSchemaVersion == 1);

// Objects hold secrets. SQLite would make the file readable for all; its log takes the file's mode.
Result<> make_private(const std::string& path) {
  int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) {
    ::close(file);
    return {};
  }
  // By path, never through a descriptor: closing one would drop the locks this process holds on the
  // file.
  if (errno == EEXIST && ::chmod(path.c_str(), 0600) == 0) return {};
  return fail(ErrorCode::kUnavailable, fmt::format("{}: {}", path, std::strerror(errno)));
}

Result<> check_schema(Database& db, const std::string& path) {
  Result<std::int64_t> application = db.integer("PRAGMA application_id");
  if (!application) return std::unexpected(std::move(application).error());
  Result<std::int64_t> version = db.integer("PRAGMA user_version");
  if (!version) return std::unexpected(std::move(version).error());
  Result<std::int64_t> tables = db.integer("SELECT count(*) FROM sqlite_schema");
  if (!tables) return std::unexpected(std::move(tables).error());
  if (*tables == 0 && *application == 0) return db.execute(kSchema);
  if (*application != kApplicationId) {
    return fail(ErrorCode::kInternal, fmt::format("{}: not a slipway store", path));
  }
  if (*version > kSchemaVersion) {
    return fail(ErrorCode::kInternal,
                fmt::format("{}: schema {} is newer than this program, which knows {}", path,
                            *version, kSchemaVersion));
  }
  return {};
}

Error explain(Error error, const std::string& path) {
  if (error.code == ErrorCode::kUnavailable && error.message.find("locked") != std::string::npos) {
    return {ErrorCode::kUnavailable, fmt::format("{} is in use by another slipway server", path)};
  }
  error.message = fmt::format("{}: {}", path, error.message);
  return error;
}

}  // namespace

Result<Database> open_store_file(const std::string& path, const std::string& vfs) {
  if (vfs.empty()) SLIPWAY_TRY(make_private(path));
  Result<Database> db = Database::open(path, vfs);
  if (!db) return fail(explain(std::move(db).error(), path));
  if (Result<> done = db->execute(kSetUp); !done) {
    return fail(explain(std::move(done).error(), path));
  }
  if (Result<> done = check_schema(*db, path); !done) {
    return fail(done.error().message.starts_with(path) ? std::move(done).error()
                                                       : explain(std::move(done).error(), path));
  }
  return db;
}

}  // namespace slipway::store
