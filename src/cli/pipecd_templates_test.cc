#include "cli/pipecd_templates.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/scratch_testing.h"
#include "cli/analyze_plan.h"

namespace slipway::cli {
namespace {

constexpr std::string_view kApplication = R"(
apiVersion: pipecd.dev/v1beta1
kind: KubernetesApp
spec:
  name: shop
  pipeline:
    stages:
      - name: ANALYSIS
        with:
          duration: 10m
          metrics: [{template: {name: errors}}]
)";
constexpr std::string_view kPiped = R"(
apiVersion: pipecd.dev/v1beta1
kind: Piped
spec:
  analysisProviders: [{name: prom, type: PROMETHEUS, config: {address: 'http://p'}}]
)";

std::string template_asking(std::string_view query) {
  return "apiVersion: pipecd.dev/v1beta1\nkind: AnalysisTemplate\nspec:\n  metrics:\n    errors: "
         "{provider: prom, interval: 1m, expected: {max: 1}, query: " +
         std::string(query) + "}\n";
}

class PipecdTemplates : public testing::Test {
 protected:
  std::string write(const std::string& path, std::string_view text) {
    const std::string whole = root_ + path;
    EXPECT_TRUE(file::make_folder(whole.substr(0, whole.rfind('/')), 0700));
    EXPECT_TRUE(file::write(whole, text, 0600));
    return whole;
  }
  // The query that an analysis of these files would ask, or what is wrong.
  static std::string asked(const std::vector<std::string>& files) {
    auto manifests = read_manifests(files);
    if (!manifests) return manifests.error().text();
    if (const auto added = add_pipecd_templates(*manifests); !added) return added.error().text();
    const auto plan = plan_analysis(*manifests, {});
    if (!plan) return plan.error().message;
    return plan->runs.at(0).compiled.spec.metrics.at(0).provider.source->query;
  }
  const ScratchFolder scratch_;
  const std::string root_ = scratch_.path() + "/";
};

TEST_F(PipecdTemplates, AreFoundBesideTheApplication) {
  const auto app = write("app.pipecd.yaml", kApplication), piped = write("piped.yaml", kPiped);
  EXPECT_EQ(asked({app, piped}), "no AnalysisTemplate has an entry \"errors\" under metrics");
  write(".pipe/other.yaml", "apiVersion: v1\nkind: ConfigMap\n");
  write(".pipe/templates.yaml", template_asking("found"));
  EXPECT_EQ(asked({app, piped}), "found");
}

TEST_F(PipecdTemplates, ThatTheUserNamesCountBeforeThem) {
  const auto app = write("apps/app.pipecd.yaml", kApplication), piped = write("piped.yaml", kPiped);
  write(".pipe/templates.yaml", template_asking("found"));
  EXPECT_EQ(asked({app, piped}), "found");
  EXPECT_EQ(asked({app, piped, write("mine.yaml", template_asking("named"))}), "named");
}

TEST_F(PipecdTemplates, ThatCannotBeReadAreNamed) {
  const auto app = write("app.pipecd.yaml", kApplication);
  write(".pipe/broken.yaml", "a: [");
  EXPECT_NE(asked({app}).find(".pipe/broken.yaml"), std::string::npos) << asked({app});
}

}  // namespace
}  // namespace slipway::cli
