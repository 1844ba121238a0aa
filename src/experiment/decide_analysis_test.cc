#include "experiment/decide_analysis.h"

#include "experiment/experiment_testing.h"
#include "experiment/objects.h"

namespace slipway::experiment {
namespace {

using namespace std::chrono_literals;

const Time kNow{1'767'225'600s};

struct AnalysisTest : testing::Test {
  AnalysisTest() {
    const json::Object document = from_yaml(kTwoColours);
    who = identity_of(document);
    experiment = *api::decode<Experiment>(json::Value(document));
    experiment.status.phase = "Running";
    experiment.status.available_at = kNow;
    for (const TemplateSpec& variant : experiment.spec.templates)
      observed.replica_sets[variant.name] = replica_set_seen(replica_set_of(who, variant, {}));
  }

  Plan decide(std::size_t index = 0) {
    Plan plan;
    decide_analysis(who, experiment, observed, experiment.spec.analyses[index], plan);
    return plan;
  }
  void recorded(std::string phase, std::string run = "example-purple") {
    experiment.status.analysis_runs = {
        {.name = "purple", .analysis_run = std::move(run), .phase = std::move(phase)}};
  }
  std::string outcome() {
    const Plan plan = decide();
    if (plan.status.analysis_runs.empty()) return "none";
    const auto& status = plan.status.analysis_runs[0];
    return status.analysis_run + "|" + status.phase + "|" + status.message;
  }

  Identity who;
  Experiment experiment;
  Observed observed;
};

TEST_F(AnalysisTest, NothingIsMeasuredBeforeAllIsAvailable) {
  experiment.status.available_at.reset();
  EXPECT_TRUE(decide().actions.empty());
  EXPECT_EQ(outcome(), "none");
  ASSERT_EQ(to_verify(experiment).size(), 2U);
  observed.analysis_failures["purple"] =
      verification_failed(experiment.spec.analyses[0], {.message = "not found"});
  EXPECT_EQ(outcome(),
            "|Error|AnalysisTemplate verification failed for analysis 'purple': not found");
  experiment.spec.analyses[0].cluster_scope = true;
  EXPECT_EQ(verification_failed(experiment.spec.analyses[0], {.message = "gone"}),
            "ClusterAnalysisTemplate verification failed for analysis 'purple': gone");
  experiment.spec.terminate = true;
  EXPECT_TRUE(to_verify(experiment).empty());
}

TEST_F(AnalysisTest, MakesARunWithItsArguments) {
  experiment.spec.dry_run = {{.metric_name = ".*"}};
  experiment.spec.measurement_retention = {{.metric_name = ".*", .limit = 2}};
  experiment.spec.analysis_run_metadata = {.labels = {{"team", "shop"}},
                                           .annotations = {{"why", "x"}}};
  experiment.spec.analyses[1].args.push_back(
      {.name = "window",
       .value = "{{ experiment.availableAt }} {{experiment.finishedAt}} "
                "{{templates.purple.replicaset.name}}"});
  who.instance_id = "blue";
  const Plan plan = decide(1);
  ASSERT_EQ(plan.actions.size(), 1U);
  const auto& create = std::get<CreateRun>(plan.actions[0]);
  EXPECT_EQ(create.run.name, "example-orange");
  EXPECT_TRUE(create.run.attempt.starts_with("2026-01-01T00:00:00Z/orange/"));
  EXPECT_EQ(create.run.owner.uid, "exp-uid");
  EXPECT_EQ(create.run.labels,
            (std::map<std::string, std::string>{
                {"argo-rollouts.argoproj.io/controller-instance-id", "blue"}, {"team", "shop"}}));
  EXPECT_EQ(create.request.templates.at(0).template_name, "http-benchmark");
  EXPECT_EQ(create.request.args.at(0).value, observed.replica_sets["orange"].hash);
  EXPECT_EQ(create.request.args.at(1).value,
            "2026-01-01T00:00:00Z 2026-01-01T00:01:00Z example-purple");
  EXPECT_EQ(create.request.dry_run.size(), 1U);
  EXPECT_EQ(create.request.measurement_retention.at(0).limit, 2);
}

TEST_F(AnalysisTest, ArgumentsThatCannotBeResolvedAreAnError) {
  const std::string failed = "|Error|Failed to create AnalysisRun for analysis 'purple': ";
  experiment.spec.analyses[0].args[0].value = "{{templates.red.podTemplateHash}}";
  EXPECT_EQ(outcome(), failed + "failed to resolve {{templates.red.podTemplateHash}}");
  experiment.spec.analyses[0].args[0].value = "{{experiment.finishedAt}}";
  experiment.spec.duration.text.clear();
  EXPECT_EQ(outcome(), failed + "failed to resolve {{experiment.finishedAt}}");
  experiment.spec.duration.text = "soon";
  EXPECT_TRUE(outcome().starts_with(failed)) << outcome();
}

TEST_F(AnalysisTest, FollowsItsRun) {
  struct Case {
    std::string_view rule;
    std::string recorded;
    RunSeen seen;
    std::string expected;
    bool terminate = false;
    std::string phase = "Running";  // of the experiment
    bool acts = false;
  };
  const Case cases[] = {
      {"not begun", "Pending", {}, "example-purple|Pending|"},
      {"running", "Pending", {.phase = "Running"}, "example-purple|Running|"},
      {"ended", "Running", {.phase = "Failed", .message = "slow"}, "example-purple|Failed|slow"},
      {"an end stays", "Successful", {.phase = "Failed"}, "example-purple|Successful|"},
      {"told to end",
       "Running",
       {.phase = "Running"},
       "example-purple|Running|",
       true,
       "Running",
       true},
      {"told already",
       "Running",
       {.phase = "Running", .terminate = true},
       "example-purple|Running|",
       true},
      {"has ended by itself",
       "Running",
       {.phase = "Successful"},
       "example-purple|Successful|",
       true},
      {"the experiment has ended",
       "Running",
       {.phase = "Running"},
       "example-purple|Running|",
       false,
       "Successful",
       true},
      {"what comes then is not recorded",
       "Running",
       {.phase = "Failed", .terminate = true},
       "example-purple|Running|",
       false,
       "Successful"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.rule);
    recorded(one.recorded);
    observed.runs["example-purple"] = one.seen;
    experiment.spec.terminate = one.terminate;
    experiment.status.phase = one.phase;
    EXPECT_EQ(outcome(), one.expected);
    EXPECT_EQ(!decide().actions.empty(), one.acts);
  }
}

TEST_F(AnalysisTest, ARunThatIsGoneIsAnError) {
  recorded("Running");
  EXPECT_EQ(outcome(),
            "example-purple|Error|analysisruns.argoproj.io \"example-purple\" not found");
  experiment.status.phase = "Successful";
  EXPECT_EQ(outcome(), "example-purple|Running|") << "what comes then is not recorded";
  EXPECT_TRUE(decide().actions.empty());
}

TEST_F(AnalysisTest, OneThatEndsMakesNoRuns) {
  experiment.spec.terminate = true;
  EXPECT_TRUE(decide().actions.empty());
}

TEST_F(AnalysisTest, RunsOfAnalysesThatAreGoneAreToldToEnd) {
  recorded("Running");
  observed.runs["example-purple"] = {.phase = "Running"};
  Plan plan;
  decide_strays(who, experiment, observed, plan);
  EXPECT_TRUE(plan.actions.empty());
  experiment.spec.analyses.erase(experiment.spec.analyses.begin());
  decide_strays(who, experiment, observed, plan);
  ASSERT_EQ(plan.actions.size(), 1U);
  EXPECT_EQ(std::get<TerminateRun>(plan.actions[0]).run, "example-purple");
  observed.runs["example-purple"].terminate = true;
  plan.actions.clear();
  decide_strays(who, experiment, observed, plan);
  EXPECT_TRUE(plan.actions.empty());
}

// The hash of its Pods is in the arguments: measured on are those that are there.
TEST_F(AnalysisTest, AnEditedTemplateIsMeasuredAnew) {
  const std::string attempt = std::get<CreateRun>(decide(1).actions.at(0)).run.attempt;
  const auto decided = [&] {
    Plan plan;
    for (const auto& analysis : experiment.spec.analyses)
      decide_analysis(who, experiment, observed, analysis, plan);
    decide_strays(who, experiment, observed, plan);
    return plan;
  };
  experiment.status.analysis_runs = {
      {.name = "purple", .analysis_run = "example-purple", .phase = "Running"},
      {.name = "orange", .analysis_run = "example-orange", .phase = "Running"}};
  observed.runs["example-purple"] = {.phase = "Running"};  // made by somebody else's release
  observed.runs["example-orange"] = {.phase = "Running", .attempt = attempt};
  EXPECT_TRUE(decided().actions.empty());

  const ReplicaSetSeen old = observed.replica_sets["orange"];
  observed.replica_sets.erase("orange");  // on the way to the next
  Plan plan = decided();
  EXPECT_TRUE(plan.actions.empty()) << "first it is written down";
  EXPECT_EQ(plan.status.analysis_runs.at(0).phase, "Running");
  EXPECT_EQ(plan.status.analysis_runs.at(1).phase, "Pending");
  EXPECT_EQ(plan.status.analysis_runs.at(1).analysis_run, "");

  experiment.status = plan.status;
  experiment.status.available_at = kNow;
  observed.replica_sets["orange"] = old;
  plan = decided();
  ASSERT_EQ(plan.actions.size(), 1U) << "the same again: nothing was edited";
  EXPECT_EQ(std::get<CreateRun>(plan.actions[0]).run.attempt, attempt);

  observed.replica_sets["orange"].hash = "another";
  plan = decided();
  ASSERT_EQ(plan.actions.size(), 2U);
  EXPECT_NE(std::get<CreateRun>(plan.actions[0]).run.attempt, attempt);
  EXPECT_EQ(std::get<TerminateRun>(plan.actions[1]).run, "example-orange");

  observed.made_runs["orange"] = "example-orange.1";
  plan = decided();
  EXPECT_EQ(plan.status.analysis_runs.at(1).analysis_run, "example-orange.1");
}

TEST_F(AnalysisTest, ARunThatTheStatusDoesNotKnowIsFoundOrEnded) {
  const std::string attempt = std::get<CreateRun>(decide(0).actions.at(0)).run.attempt;
  experiment.spec.analyses.resize(1);
  observed.runs["example-purple"] = {.phase = "Running", .attempt = attempt};
  observed.runs["example-purple.1"] = {.phase = "Running", .attempt = "of a try before"};
  observed.runs["example-purple.2"] = {.phase = "Failed", .attempt = "of a try before"};
  Plan plan;
  decide_strays(who, experiment, observed, plan);
  ASSERT_EQ(plan.actions.size(), 1U) << "the first is what its maker died over";
  EXPECT_EQ(std::get<TerminateRun>(plan.actions[0]).run, "example-purple.1");
  experiment.spec.terminate = true;
  plan.actions.clear();
  decide_strays(who, experiment, observed, plan);
  EXPECT_EQ(plan.actions.size(), 2U);
}

TEST_F(AnalysisTest, AnAttemptHasASecondOfItsOwn) {
  for (const char* attempt : {"2026-01-01T00:00:00Z/a/1", "2026-01-01T00:00:01Z/a/1",
                              "2026-01-02T00:00:00Z/made when the clock was ahead", "by hand"})
    observed.runs[attempt] = {.attempt = attempt};
  EXPECT_EQ(after_attempts(observed, kNow), kNow + 2s);
  EXPECT_EQ(after_attempts(observed, kNow + 1h), kNow + 1h);
}

TEST_F(AnalysisTest, ChangesAreTold) {
  observed.made_runs["purple"] = "example-purple.1";
  const Plan made = decide();
  EXPECT_EQ(outcome(), "example-purple.1|Pending|");
  ASSERT_EQ(made.happenings.size(), 1U);
  EXPECT_EQ(made.happenings[0].reason, "AnalysisRunPending");
  EXPECT_FALSE(made.happenings[0].warning);
  recorded("Running");
  observed.runs["example-purple"] = {.phase = "Inconclusive", .message = "few"};
  const Plan ended = decide();
  ASSERT_EQ(ended.happenings.size(), 1U);
  EXPECT_TRUE(ended.happenings[0].warning);
  EXPECT_TRUE(ended.happenings[0].of_run);
  EXPECT_EQ(ended.happenings[0].message,
            "AnalysisRun 'purple' transitioned from Running -> Inconclusive: few");
}

}  // namespace
}  // namespace slipway::experiment
