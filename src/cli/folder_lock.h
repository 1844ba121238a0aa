#pragma once

#include <string>

namespace slipway::cli {

// While it lives, other processes that lock the same folder wait. For changes of a file in it that
// begin with what was read. Where a folder cannot be locked, nobody waits.
class FolderLock {
 public:
  explicit FolderLock(const std::string& file);  // any file in the folder, there or not
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_;
};

}  // namespace slipway::cli
