#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"

struct sqlite3_vfs;

// For tests of what is left after the worst: a disk in memory under SQLite that runs full, fails
// and loses power, all from one seed. One thread.
namespace slipway::store {

class FaultDisk {
 public:
  explicit FaultDisk(std::uint64_t seed);
  ~FaultDisk();  // every file must be closed
  FaultDisk(const FaultDisk&) = delete;
  FaultDisk& operator=(const FaultDisk&) = delete;

  // The VFS to open databases with.
  const std::string& vfs() const { return name_; }

  // All files together; growing past it fails as a full disk does.
  void set_capacity(std::size_t bytes) { capacity_ = bytes; }
  std::size_t used() const;

  // After so many more writes, syncs and truncations, every one fails, until it is set again.
  void fail_after(std::uint64_t operations) { left_ = operations; }
  bool failing() const { return left_ == 0; }
  // So many single operations fail, then it works again.
  void fail_next(int operations) { hiccups_ = operations; }
  // From now on syncs are counted and confirmed, and nothing else: what a disk must never do.
  void ignore_syncs() { ignores_syncs_ = true; }

  // What was not synced is gone: all of it, none, or any mix of 512-byte sectors, in any order.
  // Heals the disk.
  void lose_power();
  // How many sectors and truncations power cuts have taken so far.
  std::uint64_t lost() const { return lost_; }

  // How the files look now; for tests that damage them on purpose.
  std::string& content(const std::string& path);

  struct Image {
    struct Change {
      std::size_t offset = 0;
      std::string bytes;
      bool truncate = false;
    };
    std::string now;
    std::string synced;
    std::vector<Change> unsynced;
    bool durable = false;  // its name survives a power cut
  };
  // For the VFS: what a call comes to, as a SQLite result code.
  int count_operation();
  int write(Image& image, std::string bytes, std::size_t offset);
  int truncate(Image& image, std::size_t size);
  int sync(Image& image);
  std::map<std::string, std::unique_ptr<Image>> files;

 private:
  void replay(Image& image, const Image::Change& change, double chance);

  std::unique_ptr<Random> random_;
  std::string name_;
  std::unique_ptr<sqlite3_vfs> vfs_;
  std::size_t capacity_ = std::numeric_limits<std::size_t>::max();
  std::uint64_t left_ = std::numeric_limits<std::uint64_t>::max();
  int hiccups_ = 0;
  bool ignores_syncs_ = false;
  std::uint64_t lost_ = 0;
};

}  // namespace slipway::store
