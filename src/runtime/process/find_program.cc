#include "runtime/process/find_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.h"

namespace slipway::runtime {

std::string find_program(std::string_view name) {
  constexpr std::string_view kDebians = "/usr/bin:/usr/sbin:/usr/local/bin:/usr/local/sbin";
  const char* path = std::getenv("PATH");
  for (const std::string& folder :
       text::split(fmt::format("{}:{}", path ? path : "", kDebians), ':')) {
    const std::string file = fmt::format("{}/{}", folder, name);
    if (folder.starts_with('/') && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

}  // namespace slipway::runtime
