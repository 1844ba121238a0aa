#include "runtime/shim/inside/shed.h"

#include <sys/mman.h>

#include <charconv>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/text.h"

namespace slipway::runtime {

namespace {

constexpr std::size_t kMaxSmaps = 16 * 1024 * 1024;

// "55d0-55e0 r-xp 00000000 fe:01 123   /usr/lib/x": empty for the other lines of a mapping.
std::optional<MemoryRange> parse_header(std::string_view line, bool& reloadable) {
  const auto words = text::split(line, ' ');
  if (words.size() < 6 || words[0].ends_with(':')) return std::nullopt;
  MemoryRange range;
  const char* const end = words[0].data() + words[0].size();
  const auto low = std::from_chars(words[0].data(), end, range.begin, 16);
  if (low.ec != std::errc() || low.ptr == end || *low.ptr != '-') return std::nullopt;
  if (std::from_chars(low.ptr + 1, end, range.end, 16).ec != std::errc()) return std::nullopt;
  reloadable = words[1].starts_with("r-") && words[1].ends_with("p") && words[4] != "0" &&
               line.find(" /") != std::string_view::npos;
  return range;
}

bool says_something(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return false;
  const auto digits = text::trim(line.substr(key.size()));
  return !digits.starts_with("0 ");
}

}  // namespace

std::vector<MemoryRange> find_reloadable(std::string_view smaps) {
  std::vector<MemoryRange> found;
  std::optional<MemoryRange> open;
  bool reloadable = false;
  const auto close = [&] {
    if (open && reloadable) found.push_back(*open);
    open.reset();
  };
  while (!smaps.empty()) {
    const auto end = smaps.find('\n');
    const std::string_view line = smaps.substr(0, end);
    bool next = false;
    if (const auto range = parse_header(line, next)) {
      close();
      open = range;
      reloadable = next;
    } else if (says_something(line, "Private_Dirty:") || says_something(line, "Shared_Dirty:") ||
               says_something(line, "Anonymous:") || says_something(line, "Locked:") ||
               says_something(line, "Swap:")) {
      reloadable = false;
    }
    smaps.remove_prefix(end == std::string_view::npos ? smaps.size() : end + 1);
  }
  close();
  return found;
}

void shed_memory() {
  const auto smaps = file::read("/proc/self/smaps", kMaxSmaps);
  if (!smaps) return;
  for (const auto& [begin, end] : find_reloadable(*smaps))
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);  // NOLINT: addresses
}

}  // namespace slipway::runtime
