#include "cli/wanted.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

TEST(Wanted, WhatContradictsItselfIsRefused) {
  const std::pair<Choice, const char*> cases[] = {
      {{}, "say what"},
      {{.words = {""}}, "may not be empty"},
      {{.words = {"cm", "a", ""}}, "may not be empty"},
      {{.words = {"pod/a", "b"}}, "\"b\" is not TYPE/NAME"},
      {{.words = {"pod/"}}, "\"pod/\" is not TYPE/NAME"},
      {{.words = {"cm", "a/b"}}, "\"a/b\" is no name; write the name alone"},
      {{.words = {"cm", "cm/a"}}, "write the name alone"},
      {{.words = {"cm/a/b"}}, "write the name alone"},
      {{.words = {"cm", "a"}, .selector = "x=y"}, "name cannot be provided when a selector"},
      {{.words = {"cm/a"}, .selector = "x=y"}, "name cannot be provided when a selector"},
      {{.words = {"cm", "a"}, .field_selector = "x=y"}, "name cannot be provided when a selector"},
      {{.words = {"cm", "a"}, .all = true}, "name cannot be provided when --all"},
      {{.words = {"cm"}, .selector = "x=y", .all = true}, "give one of them"},
      {{.words = {"cm", "a"}, .all_namespaces = true}, "by name across all namespaces"},
      {{.words = {"cm"}, .must_choose = true}, "say which"},
      {{.words = {"cm", "a", "b"}, .watch = true}, "watch is only supported"},
      {{.words = {"cm/a", "pod/b"}, .watch = true}, "watch is only supported"},
      {{.words = {"cm,pods"}, .watch = true}, "single resource type"},
  };
  for (const auto& [choice, expected] : cases) {
    const auto checked = check_choice(choice);
    ASSERT_FALSE(checked) << expected;
    EXPECT_NE(checked.error().message.find(expected), std::string::npos) << checked.error().message;
  }
}

TEST(Wanted, WhatMakesSensePasses) {
  const Choice cases[] = {{.words = {"cm"}},
                          {.words = {"cm"}, .all_namespaces = true},
                          {.words = {"cm,pods"}},
                          {.words = {"cm", "a", "b"}, .must_choose = true},
                          {.words = {"cm/a", "pod/b"}, .must_choose = true},
                          {.words = {"cm"}, .all = true, .must_choose = true},
                          {.words = {"cm"}, .selector = "x=y", .must_choose = true},
                          {.words = {"cm", "a"}, .watch = true},
                          {.words = {"cm"}, .selector = "x=y", .watch = true}};
  for (const auto& choice : cases) {
    const auto checked = check_choice(choice);
    EXPECT_TRUE(checked) << checked.error().message;
  }
}

TEST(Wanted, ANameMayStandAfterItsType) {
  const ServedKind rollouts = argo_kind("rollout", "Rollout", "ro");
  for (const char* word : {"web", "rollout/web", "rollouts/web", "ro/web", "Rollout/web",
                           "rollout.argoproj.io/web", "rollouts.v1alpha1.argoproj.io/web"})
    EXPECT_EQ(parse_name(rollouts, word), "web") << word;
  for (const char* word : {"web/status", "rollout/web/status", "rollout/", "/web", "pod/web"}) {
    const auto name = parse_name(rollouts, word);
    ASSERT_FALSE(name) << word;
    EXPECT_EQ(name.error().message,
              fmt::format("\"{}\" is no Rollout; write the name alone, or rollout/NAME", word));
  }
}

}  // namespace
}  // namespace slipway::cli
