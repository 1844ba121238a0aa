#pragma once

#include <memory>
#include <string>

#include "async/blocking.h"
#include "store/embedded/journal.h"

namespace slipway::store {

// A journal in a SQLite file, which is brought up to date by each batch: it holds the current
// objects and the last version given out, nothing else.
//
// Opens the file (see open_sqlite_store for what can go wrong) and puts its objects into `state`.
// close() must be awaited before it is destroyed while commits may run.
Result<std::unique_ptr<Journal>> open_sqlite_journal(Loop& loop, Pool& pool, State& state,
                                                     const std::string& path,
                                                     const std::string& vfs);

}  // namespace slipway::store
