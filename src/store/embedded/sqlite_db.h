#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

// SQLite behind values and owners: the one place that calls it. One thread at a time.
//
// Errors: kNoSpace (disk full), kUnavailable (locked by another process, or an I/O error),
// kInternal (damaged, not a database, misuse).
namespace slipway::store {

class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  // Parameters count from 1. Texts and blobs are not copied: they must live until the next run() or
  // reset().
  void bind(int index, std::int64_t value);
  void bind_text(int index, std::string_view value);
  void bind_blob(int index, std::string_view value);

  // To the next row: false when there is none.
  Result<bool> step();
  // Runs a statement that gives no rows, and makes it ready for the next time.
  Result<> run();
  void reset();

  // Columns count from 0. Views live until the next step.
  std::int64_t integer(int column) const;
  std::string_view bytes(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  // Makes the file when it is missing. `vfs`: empty for the system's.
  static Result<Database> open(const std::string& path, const std::string& vfs);

  Result<> execute(const char* sql);
  Result<Statement> prepare(const char* sql);
  // The first column of the first row; 0 when there is no row.
  Result<std::int64_t> integer(const char* sql);
  // Gives up the open transaction, if the failure did not already.
  void roll_back();

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  explicit Database(sqlite3* db) : db_(db) {}
  std::unique_ptr<sqlite3, Close> db_;
};

}  // namespace slipway::store
