#include "store/embedded/sqlite_journal.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "store/embedded/sqlite_db.h"
#include "store/embedded/sqlite_schema.h"

namespace slipway::store {

namespace {

// "key\0value\0" for each label: read back without parsing JSON, which would be most of the
// start-up time.
std::string pack(const api::Labels& labels) {
  std::string packed;
  for (const auto& [key, value] : labels) {
    packed.append(key).push_back('\0');
    packed.append(value).push_back('\0');
  }
  return packed;
}

api::Labels unpack(std::string_view packed) {
  api::Labels labels;
  while (!packed.empty()) {
    std::size_t key = packed.find('\0');
    if (key == std::string_view::npos) break;
    std::size_t value = packed.find('\0', key + 1);
    if (value == std::string_view::npos) break;
    labels.emplace_back(packed.substr(0, key), packed.substr(key + 1, value - key - 1));
    packed.remove_prefix(value + 1);
  }
  return labels;
}

class SqliteJournal final : public Journal {
 public:
  SqliteJournal(Loop& loop, Pool& pool, Database db)
      : loop_(loop), pool_(pool), db_(std::move(db)) {}

  Result<> load(State& state);

  Task<Result<>> append(std::shared_ptr<const Batch> batch) override {
    co_return co_await blocking(loop_, pool_, [this, batch] { return write(*batch); });
  }
  Task<> close() override {
    co_await blocking(loop_, pool_, [this] { return shut(); });
  }

 private:
  Result<> prepare();
  Result<> write(const Batch& batch);
  Result<> write_changes(const Batch& batch);
  Result<> put(const Change& change);
  bool shut();

  Loop& loop_;
  Pool& pool_;
  // From here on: the opening thread until load() is done, then the pool's.
  std::optional<Database> db_;
  std::optional<Statement> begin_, commit_, put_, erase_, set_version_;
};

Result<> SqliteJournal::prepare() {
  struct {
    std::optional<Statement>& statement;
    const char* sql;
  } const all[] = {
      {begin_, "BEGIN IMMEDIATE"},
      {commit_, "COMMIT"},
      {put_,
       "REPLACE INTO objects(id, kind, ns, name, version, api_version, labels, deleting, bytes)"
       " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"},
      {erase_, "DELETE FROM objects WHERE id = ?"},
      {set_version_, "UPDATE meta SET version = ? WHERE id = 1"},
  };
  for (const auto& [statement, sql] : all) {
    Result<Statement> prepared = db_->prepare(sql);
    if (!prepared) return std::unexpected(std::move(prepared).error());
    statement.emplace(std::move(*prepared));
  }
  return {};
}

Result<> SqliteJournal::load(State& state) {
  SLIPWAY_TRY(prepare());
  Result<Statement> rows = db_->prepare(
      "SELECT id, kind, ns, name, version, api_version, labels, deleting, bytes FROM objects");
  if (!rows) return std::unexpected(std::move(rows).error());
  std::map<std::string, std::shared_ptr<const std::string>, std::less<>> api_versions;
  while (true) {
    Result<bool> row = rows->step();
    if (!row) return std::unexpected(std::move(row).error());
    if (!*row) break;
    auto api_version = api_versions.find(rows->bytes(5));
    if (api_version == api_versions.end()) {
      std::string text(rows->bytes(5));
      api_version = api_versions.emplace(text, std::make_shared<const std::string>(text)).first;
    }
    auto record = std::make_shared<const Record>(Record{
        .key = {std::string(rows->bytes(2)), std::string(rows->bytes(3))},
        .version = static_cast<Version>(rows->integer(4)),
        .id = rows->integer(0),
        .bytes = std::make_shared<const std::string>(rows->bytes(8)),
        .api_version = api_version->second,
        .labels = unpack(rows->bytes(6)),
        .deleting = rows->integer(7) != 0,
    });
    if (!state.restore(state.table(rows->bytes(1)), record)) {
      return fail(ErrorCode::kInternal,
                  fmt::format("damaged store: {} {}/{} is there twice", rows->bytes(1),
                              record->key.ns, record->key.name));
    }
  }
  Result<std::int64_t> version = db_->integer("SELECT version FROM meta WHERE id = 1");
  if (!version) return std::unexpected(std::move(version).error());
  state.restored(static_cast<Version>(*version));
  return {};
}

Result<> SqliteJournal::write(const Batch& batch) {
  Result<> done = write_changes(batch);
  if (!done) db_->roll_back();
  return done;
}

Result<> SqliteJournal::write_changes(const Batch& batch) {
  SLIPWAY_TRY(begin_->run());
  for (const Change& change : batch.changes) {
    if (change.erased) {
      erase_->bind(1, change.after->id);
      SLIPWAY_TRY(erase_->run());
    } else {
      SLIPWAY_TRY(put(change));
    }
  }
  set_version_->bind(1, static_cast<std::int64_t>(batch.changes.back().version()));
  SLIPWAY_TRY(set_version_->run());
  return commit_->run();
}

Result<> SqliteJournal::put(const Change& change) {
  const Record& record = *change.after;
  std::string labels = pack(record.labels);
  put_->bind(1, record.id);
  put_->bind_text(2, change.table->name);
  put_->bind_text(3, record.key.ns);
  put_->bind_text(4, record.key.name);
  put_->bind(5, static_cast<std::int64_t>(record.version));
  put_->bind_text(6, *record.api_version);
  put_->bind_blob(7, labels);
  put_->bind(8, record.deleting ? 1 : 0);
  put_->bind_blob(9, *record.bytes);
  return put_->run();
}

// Closing the last connection also moves the log into the file.
bool SqliteJournal::shut() {
  begin_.reset();
  commit_.reset();
  put_.reset();
  erase_.reset();
  set_version_.reset();
  db_.reset();
  return true;
}

}  // namespace

Result<std::unique_ptr<Journal>> open_sqlite_journal(Loop& loop, Pool& pool, State& state,
                                                     const std::string& path,
                                                     const std::string& vfs) {
  Result<Database> db = open_store_file(path, vfs);
  if (!db) return std::unexpected(std::move(db).error());
  auto journal = std::make_unique<SqliteJournal>(loop, pool, std::move(*db));
  if (Result<> loaded = journal->load(state); !loaded) {
    return fail(loaded.error().code, fmt::format("{}: {}", path, loaded.error().message));
  }
  return journal;
}

}  // namespace slipway::store
