#include "runtime/node/images.h"

#include <gtest/gtest.h>

namespace slipway::runtime {
namespace {

TEST(Images, TheFirstPatternThatFitsCounts) {
  const auto images = Images::parse(R"(
nginx:1.19-*: [one]
nginx:*: [two, "8080"]
"*/rollouts-demo:*": {command: [three], args: [$(SLIPWAY_IMAGE_TAG)], env: {A: b}, workingDir: /x}
busybox: [four]
)");
  ASSERT_TRUE(images) << images.error().text();
  const struct {
    const char* image;
    const char* program;
  } cases[] = {
      {"nginx:1.19-alpine", "one"},
      {"nginx:1.20", "two"},
      {"nginx", "two"},
      {"docker.io/library/nginx:1", "two"},
      {"argoproj/rollouts-demo:blue", "three"},
      {"quay.io/argoproj/rollouts-demo:blue", "three"},
      {"busybox", "four"},
      {"busybox:1", ""},
      {"redis", ""},
  };
  for (const auto& one : cases) {
    const ImageCommand* found = images->find(one.image);
    EXPECT_EQ(found ? found->command.front() : "", one.program) << one.image;
  }
  const ImageCommand* demo = images->find("a/rollouts-demo:red");
  EXPECT_EQ(demo->args, std::vector<std::string>{"$(SLIPWAY_IMAGE_TAG)"});
  EXPECT_EQ(demo->env.front().second, "b");
  EXPECT_EQ(demo->working_dir, "/x");
}

TEST(Images, WhatIsWrongIsNamed) {
  const struct {
    const char* text;
    const char* part;
  } cases[] = {
      {"[a]", "map from image patterns"},
      {"nginx: 5", "nginx: is not a list of words"},
      {"nginx: [a, 5]", "5 is not a string"},
      {"nginx: {args: [a]}", "nginx: has no command"},
      {"nginx: {comand: [a]}", "\"comand\""},
      {"nginx: {command: [a], env: {B: 1}}", "nginx.env.B"},
      {"nginx: []", "is not a list of words"},
  };
  for (const auto& one : cases) {
    const auto images = Images::parse(one.text);
    ASSERT_FALSE(images) << one.text;
    EXPECT_NE(images.error().text().find(one.part), std::string::npos) << images.error().text();
  }
  EXPECT_TRUE(Images::parse("")->empty());
}

TEST(Images, ATagIsWhatFollowsTheLastColon) {
  EXPECT_EQ(image_tag("a/b:blue"), "blue");
  EXPECT_EQ(image_tag("host:5000/a"), "latest");
  EXPECT_EQ(image_tag("host:5000/a:1@sha256:00"), "1");
}

}  // namespace
}  // namespace slipway::runtime
