#include "runtime/traffic/find_proxies.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "runtime/traffic/render.h"

namespace slipway::runtime::traffic {

namespace {

constexpr std::size_t kMaxWords = 64 * 1024;

bool is_same_folder(const struct stat& folder, const std::string& other) {
  struct stat seen{};
  return ::stat(other.c_str(), &seen) == 0 && seen.st_dev == folder.st_dev &&
         seen.st_ino == folder.st_ino;
}

// The folder that a proxy was told; empty when the process is none.
std::string folder_of(pid_t pid) {
  const auto text = file::read(fmt::format("/proc/{}/cmdline", pid), kMaxWords);
  if (!text) return {};
  const std::vector<std::string> words = text::split(*text, '\0');
  const std::vector<std::string> wanted = proxy_words({});
  const auto folder = std::ranges::find(wanted, std::string()) - wanted.begin();
  const auto found = std::ranges::search(words, wanted, [](const auto& word, const auto& want) {
    return want.empty() || word == want;
  });
  return found.empty() ? std::string() : *(found.begin() + folder);
}

}  // namespace

std::vector<std::string> proxy_words(const std::string& folder) {
  return {"-D", "-C", folder, "-f", kConfigFile, "-p", kPidFile};
}

std::vector<Process> find_proxies(const std::string& folder) {
  struct stat own{};
  if (::stat(folder.c_str(), &own) != 0) return {};
  std::vector<Process> found = list_processes();
  std::erase_if(found, [&](const Process& process) {
    if (process.ended) return true;
    const std::string told = folder_of(process.pid);
    // As that process sees it: another one's folder of that name, in a container, is not ours.
    return told.empty() || !is_same_folder(own, fmt::format("/proc/{}/root{}", process.pid, told));
  });
  return found;
}

}  // namespace slipway::runtime::traffic
