#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"

// Scenario files: what people do to a world, and what is to come of it. README.md lists the verbs.
namespace slipway::scenario {

inline constexpr std::size_t kMaxScriptBytes = 64 * 1024;

struct Line {
  int number = 0;  // in the file, from 1
  Duration at = {};
  std::string verb = {};
  std::vector<std::string> words = {};  // after the verb
};

struct Script {
  std::string name = {};
  std::filesystem::path folder = {};  // where its manifests are
  std::vector<Line> lines = {};       // in the order of time
  bool lenient = false;               // a line that cannot be done is passed over
};

// Errors: kInvalid with the number of the line.
Result<Script> parse_script(std::string name, std::string_view text);
Result<Script> read_script(const std::filesystem::path& file);
// Every *.scenario of a folder, by name.
std::vector<std::filesystem::path> scripts_in(const std::filesystem::path& folder);
// kInvalid: it cannot be read.
Result<std::string> read_text(const std::filesystem::path& file);

}  // namespace slipway::scenario
