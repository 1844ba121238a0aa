#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/json.h"

// Cases for tests: inputs, and what Kubernetes' own libraries make of them (tests/kube/oracle/patch
// writes them).
namespace slipway::api {

inline json::Array golden_cases(const std::string& name) {
  auto path = std::filesystem::path(__FILE__).parent_path() / "testdata" / (name + ".json");
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
