#include "analysis/argo/create_run.h"

#include "analysis/controller.h"
#include "api/schema/codec.h"
#include "base/yaml.h"
#include "control/testing/store_fixture.h"

namespace slipway::analysis {
namespace {

using namespace api::argo;

struct CreateRun : control::StoreFixture {
  static inline const api::Gvr kTemplates{"argoproj.io", "v1alpha1", "analysistemplates"};

  static json::Object from_yaml(std::string_view text) {
    auto documents = yaml::read(text);
    EXPECT_TRUE(documents && documents->size() == 1) << text;
    return documents ? documents->front().value.as_object() : json::Object();
  }

  static WantedRun wanted(std::string attempt = {}) {
    WantedRun want{.ns = "default",
                   .name = "exp-errors",
                   .owner = {.api_version = "argoproj.io/v1alpha1",
                             .kind = "Experiment",
                             .name = "exp",
                             .uid = "u1",
                             .controller = true,
                             .block_owner_deletion = true},
                   .labels = {{"team", "shop"}},
                   .annotations = {{"why", "release"}},
                   .attempt = std::move(attempt)};
    Metric metric{.name = "errors", .success_condition = "result < 1"};
    metric.provider.web = WebMetric{.url = "http://shop/"};
    want.spec = {.metrics = {metric}, .args = {{.name = "host", .value = "purple"}}};
    return want;
  }

  MadeRun make(const WantedRun& want) {
    auto made = run_to_end(*loop, create_run(*store, run_object(want)));
    EXPECT_TRUE(made) << made.error().text();
    return made ? *made : MadeRun{};
  }
  void patch(const std::string& name, json::Object body) {
    auto done = run_to_end(*loop, store->patch(AnalysisRunReconciler::kKind, {"default", name},
                                               {.body = std::move(body)}, {}));
    EXPECT_TRUE(done) << done.error().text();
  }
  void end(const std::string& name, std::string_view phase) {
    patch(name, {{"status", json::Object{{"phase", phase}}}});
  }
};

TEST_F(CreateRun, HasNameOwnerAndMetadata) {
  const MadeRun made = make(wanted("2026-01-01T00:00:00Z"));
  EXPECT_TRUE(made.fresh);
  EXPECT_EQ(made.name, "exp-errors");
  const json::Value run = read(AnalysisRunReconciler::kKind, {"default", "exp-errors"});
  EXPECT_EQ(json::string_at(run, {"metadata", "labels", "team"}), "shop");
  EXPECT_EQ(json::string_at(run, {"metadata", "annotations", "why"}), "release");
  EXPECT_EQ(api::controller_of(run.get_object())->uid, "u1");
  EXPECT_EQ(run.at("spec").at("args").at(0).at("value"), "purple");
}

TEST_F(CreateRun, FindsTheOneThatIsUnderWay) {
  make(wanted());
  const MadeRun again = make(wanted());
  EXPECT_FALSE(again.fresh);
  EXPECT_EQ(again.name, "exp-errors");
  EXPECT_EQ(list(AnalysisRunReconciler::kKind).size(), 1U);
}

TEST_F(CreateRun, CountsOnPastOthers) {
  make(wanted());
  end("exp-errors", "Failed");
  EXPECT_EQ(make(wanted()).name, "exp-errors.1");
  patch("exp-errors.1", {{"spec", json::Object{{"terminate", true}}}});
  EXPECT_EQ(make(wanted()).name, "exp-errors.2");
  WantedRun stranger = wanted();
  stranger.owner.uid = "u2";
  EXPECT_EQ(make(stranger).name, "exp-errors.3");
  WantedRun edited = wanted();
  edited.spec.args[0].value = "orange";
  EXPECT_EQ(make(edited).name, "exp-errors.4");
  EXPECT_EQ(make(wanted()).name, "exp-errors.2") << "the first that is ours and under way";
}

TEST_F(CreateRun, AnAttemptKeepsItsRunEvenWhenThatHasEnded) {
  make(wanted("first"));
  end("exp-errors", "Successful");
  EXPECT_FALSE(make(wanted("first")).fresh);
  const MadeRun retried = make(wanted("second"));
  EXPECT_TRUE(retried.fresh);
  EXPECT_EQ(retried.name, "exp-errors.1");
}

TEST_F(CreateRun, SaysWhatTheStoreHasAgainstIt) {
  WantedRun want = wanted();
  want.name = "Not_A_Name";
  auto made = run_to_end(*loop, create_run(*store, run_object(want)));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kInvalid);
}

TEST_F(CreateRun, ComposesNestedTemplatesFromTheStore) {
  create(kTemplates, "default", from_yaml(R"(
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: outer}
spec:
  args: [{name: host}]
  metrics: [{name: a, provider: {web: {url: "http://{{args.host}}/"}}}]
  templates: [{templateName: inner}, {templateName: outer}]
)"));
  const ArgoRequest request{.templates = {{.template_name = "outer"}},
                            .args = {{.name = "host", .value = "purple"}}};
  auto missing = run_to_end(*loop, compose_from_store(*store, "default", request));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "analysistemplate.argoproj.io \"inner\" not found");
  create(kTemplates, "default", from_yaml(R"(
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: inner}
spec: {metrics: [{name: b, provider: {web: {url: "http://b/"}}}]}
)"));
  auto spec = run_to_end(*loop, compose_from_store(*store, "default", request));
  ASSERT_TRUE(spec) << spec.error().text();
  ASSERT_EQ(spec->metrics.size(), 2U);
  EXPECT_EQ(spec->metrics[0].name, "a");
  EXPECT_EQ(spec->metrics[1].name, "b");
  EXPECT_EQ(spec->args[0].value, "purple");
}

}  // namespace
}  // namespace slipway::analysis
