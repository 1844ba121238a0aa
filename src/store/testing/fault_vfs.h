#pragma once

struct sqlite3_vfs;

namespace slipway::store {

class FaultDisk;

// Fills in the table of calls through which SQLite reaches `disk`.
void describe_fault_vfs(sqlite3_vfs& vfs, FaultDisk& disk);

}  // namespace slipway::store
