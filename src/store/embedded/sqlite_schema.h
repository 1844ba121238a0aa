#pragma once

#include <string>

#include "store/embedded/sqlite_db.h"

namespace slipway::store {

// Opens or makes the store's file: locked for this process, set up for durable group commits, of a
// schema we know.
Result<Database> open_store_file(const std::string& path, const std::string& vfs);

}  // namespace slipway::store
