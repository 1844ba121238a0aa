#include "runtime/node/expand.h"

#include <gtest/gtest.h>

namespace slipway::runtime {
namespace {

TEST(Expand, FollowsKubernetesSyntax) {
  const auto find = [](std::string_view name) -> std::optional<std::string> {
    if (name == "A") return "1";
    if (name == "EMPTY") return "";
    if (name == "DEEP") return "$(A)";
    return std::nullopt;
  };
  const struct {
    const char* text;
    const char* expanded;
  } cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"$(A)", "1"},
      {"x$(A)y$(A)", "x1y1"},
      {"$(EMPTY)", ""},
      {"$(MISSING)", "$(MISSING)"},
      {"$$(A)", "$(A)"},
      {"$$$(A)", "$1"},
      {"$$$$(A)", "$$(A)"},
      {"$A", "$A"},
      {"$", "$"},
      {"a$", "a$"},
      {"$(A", "$(A"},
      {"$()", "$()"},
      {"$(DEEP)", "$(A)"},
      {"$($(A))", "$($(A))"},
  };
  for (const auto& one : cases) EXPECT_EQ(expand(one.text, find), one.expanded) << one.text;
}

}  // namespace
}  // namespace slipway::runtime
