#include "store/testing/fault_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>

#include "store/testing/fault_disk.h"

namespace slipway::store {

namespace {

// SQLite allocates szOsFile bytes and calls through the first member.
struct OpenFile {
  sqlite3_file base;
  FaultDisk* disk;
  FaultDisk::Image* image;
};
OpenFile& of(sqlite3_file* file) { return *reinterpret_cast<OpenFile*>(file); }

int close_file(sqlite3_file*) { return SQLITE_OK; }

int read_file(sqlite3_file* file, void* buffer, int amount, sqlite3_int64 offset) {
  const std::string& now = of(file).image->now;
  auto wanted = static_cast<std::size_t>(amount);
  auto from = static_cast<std::size_t>(offset);
  std::size_t there = from < now.size() ? std::min(wanted, now.size() - from) : 0;
  std::memset(buffer, 0, wanted);
  if (there > 0) std::memcpy(buffer, now.data() + from, there);
  return there == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int write_file(sqlite3_file* file, const void* buffer, int amount, sqlite3_int64 offset) {
  std::string bytes(static_cast<const char*>(buffer), static_cast<std::size_t>(amount));
  return of(file).disk->write(*of(file).image, std::move(bytes), static_cast<std::size_t>(offset));
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  return of(file).disk->truncate(*of(file).image, static_cast<std::size_t>(size));
}

int sync_file(sqlite3_file* file, int) { return of(file).disk->sync(*of(file).image); }

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(of(file).image->now.size());
  return SQLITE_OK;
}

int no_lock(sqlite3_file*, int) { return SQLITE_OK; }
int check_lock(sqlite3_file*, int* held) {
  *held = 0;
  return SQLITE_OK;
}
int file_control(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
int sector_size(sqlite3_file*) { return 512; }
// What the system's VFS claims of every disk.
int characteristics(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

// Version 1: no shared memory. WAL then works in exclusive mode only, which is how the store uses
// it.
constexpr sqlite3_io_methods kMethods = {.iVersion = 1,
                                         .xClose = close_file,
                                         .xRead = read_file,
                                         .xWrite = write_file,
                                         .xTruncate = truncate_file,
                                         .xSync = sync_file,
                                         .xFileSize = file_size,
                                         .xLock = no_lock,
                                         .xUnlock = no_lock,
                                         .xCheckReservedLock = check_lock,
                                         .xFileControl = file_control,
                                         .xSectorSize = sector_size,
                                         .xDeviceCharacteristics = characteristics,
                                         .xShmMap = nullptr,
                                         .xShmLock = nullptr,
                                         .xShmBarrier = nullptr,
                                         .xShmUnmap = nullptr,
                                         .xFetch = nullptr,
                                         .xUnfetch = nullptr};

FaultDisk& disk_of(sqlite3_vfs* vfs) { return *static_cast<FaultDisk*>(vfs->pAppData); }

int open_file(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  auto& image = disk_of(vfs).files[path ? path : "temporary"];
  if (!image) image = std::make_unique<FaultDisk::Image>();
  of(file) = {{&kMethods}, &disk_of(vfs), image.get()};
  if (out_flags) *out_flags = flags;
  return SQLITE_OK;
}

int delete_file(sqlite3_vfs* vfs, const char* path, int) {
  if (disk_of(vfs).count_operation() != SQLITE_OK) return SQLITE_IOERR_DELETE;
  return disk_of(vfs).files.erase(path) > 0 ? SQLITE_OK : SQLITE_IOERR_DELETE_NOENT;
}

int access_file(sqlite3_vfs* vfs, const char* path, int, int* there) {
  *there = disk_of(vfs).files.contains(path) ? 1 : 0;
  return SQLITE_OK;
}

int full_path(sqlite3_vfs*, const char* path, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", path);
  return SQLITE_OK;
}

// Both from the system's VFS: neither is part of what is tested.
int randomness(sqlite3_vfs*, int size, char* out) {
  sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
  return system->xRandomness(system, size, out);
}
int current_time(sqlite3_vfs*, double* now) {
  sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
  return system->xCurrentTime(system, now);
}
int no_sleep(sqlite3_vfs*, int) { return 0; }
int last_error(sqlite3_vfs*, int, char*) { return 0; }

}  // namespace

void describe_fault_vfs(sqlite3_vfs& vfs, FaultDisk& disk) {
  vfs = {};
  vfs.iVersion = 1;
  vfs.szOsFile = sizeof(OpenFile);
  vfs.mxPathname = 512;
  vfs.zName = disk.vfs().c_str();
  vfs.pAppData = &disk;
  vfs.xOpen = open_file;
  vfs.xDelete = delete_file;
  vfs.xAccess = access_file;
  vfs.xFullPathname = full_path;
  vfs.xRandomness = randomness;
  vfs.xSleep = no_sleep;
  vfs.xCurrentTime = current_time;
  vfs.xGetLastError = last_error;
}

}  // namespace slipway::store
