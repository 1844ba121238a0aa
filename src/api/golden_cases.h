#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/json.h"

// Cases for tests: inputs, and what Kubernetes' own libraries make of them (tests/kube/oracle/patch
// writes them).
namespace slipway::api {

// Compilers may be told of sources by paths relative to their build folder; the tests' runner says
// where the project is.
inline std::filesystem::path testdata(const std::string& name) {
  const char* root = std::getenv("SLIPWAY_ROOT");
  return std::filesystem::path(root ? root : ".") / "src/api/testdata" / (name + ".json");
}

inline json::Array golden_cases(const std::string& name) {
  auto path = testdata(name);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  auto cases = json::read(text.str());
  if (!cases || !cases->is_array() || cases->get_array().empty()) {
    ADD_FAILURE() << "no cases in " << path;
    return {};
  }
  return std::move(cases->get_array());
}

}  // namespace slipway::api
