#include "store/embedded/sqlite_db.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace slipway::store {

namespace {

ErrorCode code_of(int result) {
  switch (result & 0xff) {
    case SQLITE_FULL:
      return ErrorCode::kNoSpace;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_NOMEM:
    case SQLITE_READONLY:
      return ErrorCode::kUnavailable;
    default:
      return ErrorCode::kInternal;
  }
}

std::unexpected<Error> failure(sqlite3* db, int result) {
  if ((result & 0xff) == SQLITE_FULL) {
    return fail(ErrorCode::kNoSpace, "no space left on the disk that holds the store");
  }
  return fail(code_of(result), fmt::format("the store's database: {} ({})", sqlite3_errmsg(db),
                                           sqlite3_extended_errcode(db)));
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
}

void Statement::bind_text(int index, std::string_view value) {
  sqlite3_bind_text64(statement_.get(), index, value.data(), value.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
}

void Statement::bind_blob(int index, std::string_view value) {
  sqlite3_bind_blob64(statement_.get(), index, value.data(), value.size(), SQLITE_STATIC);
}

Result<bool> Statement::step() {
  int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  return failure(sqlite3_db_handle(statement_.get()), result);
}

Result<> Statement::run() {
  Result<bool> row = step();
  reset();
  if (!row) return std::unexpected(std::move(row).error());
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::bytes(int column) const {
  // The blob before its length: the other order may convert the value in between.
  const void* data = sqlite3_column_blob(statement_.get(), column);
  int size = sqlite3_column_bytes(statement_.get(), column);
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

void Database::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

Result<Database> Database::open(const std::string& path, const std::string& vfs) {
  sqlite3* db = nullptr;
  int result = sqlite3_open_v2(path.c_str(), &db,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                               vfs.empty() ? nullptr : vfs.c_str());
  Database opened(db);  // also after a failure there is a handle to close
  if (result != SQLITE_OK) return failure(db, result);
  sqlite3_extended_result_codes(db, 1);
  return opened;
}

Result<> Database::execute(const char* sql) {
  int result = sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) return failure(db_.get(), result);
  return {};
}

void Database::roll_back() {
  if (sqlite3_get_autocommit(db_.get()) == 0) {
    sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

Result<Statement> Database::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  int result =
      sqlite3_prepare_v3(db_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (result != SQLITE_OK) return failure(db_.get(), result);
  return Statement(statement);
}

Result<std::int64_t> Database::integer(const char* sql) {
  Result<Statement> statement = prepare(sql);
  if (!statement) return std::unexpected(std::move(statement).error());
  Result<bool> row = statement->step();
  if (!row) return std::unexpected(std::move(row).error());
  return *row ? statement->integer(0) : 0;
}

}  // namespace slipway::store
