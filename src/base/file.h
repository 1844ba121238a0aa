#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// The one gate for files. Blocking: small files at start-up and in commands only.
namespace slipway::file {

inline constexpr std::size_t kMaxFile = 64 * 1024 * 1024;

// Errors: kNotFound, kForbidden, kTooLarge, kInternal; the message names the path.
Result<std::string> read(const std::string& path, std::size_t max_bytes = kMaxFile);
Result<std::string> read_stdin(std::size_t max_bytes = kMaxFile);

// Whole or not at all: writes beside it, syncs, renames. `mode` as in chmod: secrets are 0600.
Result<> write(const std::string& path, std::string_view text, unsigned mode);

// Makes a folder and its parents; those made get `mode`.
Result<> make_folder(const std::string& path, unsigned mode);

// With all that is in it, also while somebody else takes things away or puts some there. One that
// is not there is fine.
Result<> remove_folder(const std::string& path);

struct Status {
  unsigned owner = 0;  // user id
  unsigned mode = 0;   // permissions, as in chmod
};
// Of what a path leads to, links followed. Errors as read()'s.
Result<Status> status(const std::string& path);
unsigned current_user();

bool exists(const std::string& path);
bool is_folder(const std::string& path);
// Every file below `folder` whose name ends in one of `suffixes`, sorted; hidden ones left out.
Result<std::vector<std::string>> list(const std::string& folder,
                                      const std::vector<std::string>& suffixes);

}  // namespace slipway::file
