#pragma once

#include <string>
#include <vector>

#include "base/yaml.h"

namespace slipway::cli {

// One document of a file a user named.
struct Manifest {
  std::string file;  // as named; "-" is standard input
  yaml::Document document;
};

// Reads files, folders (every .yaml, .yml and .json below) and "-". Errors name file and line.
Result<std::vector<Manifest>> read_manifests(const std::vector<std::string>& paths);
// The files behind `paths`, folders opened.
Result<std::vector<std::string>> find_files(const std::vector<std::string>& paths);

}  // namespace slipway::cli
