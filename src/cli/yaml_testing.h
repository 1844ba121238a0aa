#pragma once

#include <gtest/gtest.h>

#include "base/yaml.h"

namespace slipway::cli {

// The documents of a text.
inline std::vector<json::Value> from_yaml(std::string_view text) {
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents) << text;
  std::vector<json::Value> values;
  if (documents)
    for (auto& document : *documents) values.push_back(std::move(document.value));
  return values;
}

}  // namespace slipway::cli
