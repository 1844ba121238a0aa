#include "cli/demo/scene.h"

#include <gtest/gtest.h>

#include "api/lint/lint.h"
#include "api/registry.h"
#include "runtime/node/images.h"

namespace slipway::cli {
namespace {

TEST(DemoScene, IsTheExamplesAsTheyAreWrittenUnlessPlacesDiffer) {
  const Scene scene = make_scene({});
  EXPECT_TRUE(scene.manifests.contains("containerPort: 8080"));
  EXPECT_TRUE(scene.manifests.contains("value: http://127.0.0.1:9090"));
  EXPECT_TRUE(scene.prometheus.contains("url: https://127.0.0.1:8080/prometheus/pods"));
}

TEST(DemoScene, AsksForAFalseRollbackRateOfOneInAThousand) {
  EXPECT_TRUE(make_scene({}).manifests.contains("alpha: 0.001\n"));
}

TEST(DemoScene, PutsPlacesIn) {
  const Scene scene = make_scene({.program = "/opt/a \"b\"/slipway",
                                  .prometheus = "http://127.32.0.1:4711",
                                  .server = "https://127.0.0.1:5555",
                                  .port = 41234});
  EXPECT_FALSE(scene.manifests.contains("8080"));
  EXPECT_FALSE(scene.manifests.contains("9090"));
  EXPECT_TRUE(scene.manifests.contains("containerPort: 41234"));
  EXPECT_TRUE(scene.manifests.contains("value: http://127.32.0.1:4711"));
  EXPECT_TRUE(scene.prometheus.contains("url: https://127.0.0.1:5555/prometheus/pods"));
  const auto images = runtime::Images::parse(scene.images);
  ASSERT_TRUE(images) << images.error().text();
  const auto* bad = images->find("demo/web:v3");
  const auto* good = images->find("demo/web:v2");
  ASSERT_TRUE(bad && good);
  EXPECT_EQ(bad->command[0], "/opt/a \"b\"/slipway");
  EXPECT_EQ(bad->command.back(), "0.2");
  EXPECT_EQ(good->command.back(), "0.01");
}

TEST(DemoScene, HasNoMistakes) {
  const auto registry = api::Registry::make();
  const auto documents = yaml::read(make_scene({}).manifests);
  ASSERT_TRUE(documents) << documents.error().text();
  EXPECT_EQ(documents->size(), 6u);
  for (const auto& document : *documents)
    for (const auto& problem : api::lint(document, *registry))
      ADD_FAILURE() << problem.line << ": " << problem.field << ": " << problem.message;
}

}  // namespace
}  // namespace slipway::cli
