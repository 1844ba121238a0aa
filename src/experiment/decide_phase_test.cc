#include "experiment/decide_phase.h"

#include <gtest/gtest.h>

namespace slipway::experiment {
namespace {

using namespace std::chrono_literals;

const Time kNow{1'767'225'600s + 300ms};

struct Case {
  std::string_view rule;
  std::string phase;                                   // before
  std::vector<std::string> templates;                  // statuses; "" is none yet
  std::vector<std::pair<std::string, bool>> analyses;  // phase, required
  std::string expected, message = {};
  bool available = true;  // before
};

const std::string kDone = "Required AnalysisRuns completed";
const Case kCases[] = {
    {"the first look only begins", "", {"Running"}, {}, "Pending", "", false},
    {"until all run", "Pending", {"Running", "Progressing"}, {}, "Pending", "t1", false},
    {"a template without status waits", "Pending", {"Running", ""}, {}, "Pending", "", false},
    {"all run", "Pending", {"Running", "Running"}, {}, "Running", "t0", false},
    {"a template lost its Pods", "Running", {"Running", "Progressing"}, {}, "Pending", "t1"},
    {"time is over", "Running", {"Successful"}, {}, "Successful"},
    {"worst template", "Running", {"Error", "Failed"}, {}, "Failed", "t1"},
    {"a failed template wins over runs",
     "Running",
     {"Failed"},
     {{"Running", true}},
     "Failed",
     "t0"},
    {"time is over before a run", "Running", {"Successful"}, {{"Running", false}}, "Successful"},
    {"a required run is waited for",
     "Running",
     {"Successful"},
     {{"Running", true}},
     "Running",
     "a0"},
    {"pending counts as running", "Running", {"Successful"}, {{"Pending", true}}, "Running", "a0"},
    {"its verdict then decides", "Running", {"Successful"}, {{"Failed", true}}, "Failed", "a0"},
    {"all good", "Running", {"Successful"}, {{"Successful", false}}, "Successful"},
    {"fails fast", "Running", {"Running"}, {{"Running", true}, {"Failed", false}}, "Failed", "a1"},
    {"errs fast", "Pending", {"Progressing"}, {{"Error", false}}, "Error", "a0", false},
    {"inconclusive ends it",
     "Running",
     {"Running"},
     {{"Inconclusive", false}},
     "Inconclusive",
     "a0"},
    {"success of one that is not required does not",
     "Running",
     {"Running"},
     {{"Successful", false}},
     "Running",
     "t0"},
    {"all required", "Running", {"Running"}, {{"Successful", true}}, "Successful", kDone},
    {"one of two required",
     "Running",
     {"Running"},
     {{"Successful", true}, {"Running", true}},
     "Running",
     "t0"},
    {"others need not be ready",
     "Running",
     {"Running"},
     {{"Successful", true}, {"Running", false}},
     "Successful",
     kDone},
    {"but a failed one counts",
     "Running",
     {"Running"},
     {{"Successful", true}, {"Failed", false}},
     "Failed",
     "a1"},
    {"an end is an end", "Failed", {"Running"}, {}, "Failed", "was"},
};

TEST(ExperimentPhase, FollowsTemplatesAndAnalyses) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.rule);
    ExperimentSpec spec;
    ExperimentStatus status{.phase = one.phase, .message = one.phase == "Failed" ? "was" : ""};
    if (one.available) status.available_at = kNow - 1h;
    for (std::size_t i = 0; i < one.templates.size(); ++i) {
      const std::string name = "t" + std::to_string(i);
      spec.templates.push_back({.name = name});
      if (one.templates[i].empty()) continue;
      status.template_statuses.push_back({.name = name,
                                          .status = one.templates[i],
                                          .message = one.templates[i] == "Successful" ? "" : name});
    }
    for (std::size_t i = 0; i < one.analyses.size(); ++i) {
      const std::string name = "a" + std::to_string(i);
      spec.analyses.push_back({.name = name, .required_for_completion = one.analyses[i].second});
      status.analysis_runs.push_back(
          {.name = name,
           .phase = one.analyses[i].first,
           .message = one.analyses[i].first == "Successful" ? "" : name});
    }
    decide_phase(spec, status, kNow);
    EXPECT_EQ(status.phase, one.expected);
    EXPECT_EQ(status.message, one.message);
    const bool running = one.expected == "Running" && one.templates[0] == "Running";
    if (!one.available && running)
      EXPECT_EQ(status.available_at, std::chrono::floor<std::chrono::seconds>(kNow));
    if (!one.available && !running) EXPECT_FALSE(status.available_at);
    if (one.available) EXPECT_EQ(status.available_at, kNow - 1h) << "never set again";
  }
}

struct Told {
  std::string status, reason, message;
  Time updated, transitioned;
  bool operator==(const Told&) const = default;
};
Told progressing(const ExperimentStatus& status) {
  for (const auto& one : status.conditions)
    if (one.type == "Progressing")
      return {one.status, one.reason, one.message, one.last_update_time, one.last_transition_time};
  return {};
}

TEST(ExperimentConditions, TellProgress) {
  const Time t0 = std::chrono::floor<std::chrono::seconds>(kNow);
  ExperimentSpec spec{.templates = {{.name = "a"}}, .duration = {"1m"}};
  ExperimentStatus before{.phase = "Pending"}, status = before;
  status.template_statuses = {{.name = "a"}};
  decide_conditions("x", spec, before, status, t0);
  EXPECT_EQ(progressing(status),
            (Told{"True", "ReplicaSetUpdated", "Experiment \"x\" is progressing.", t0, t0}));

  before = status;
  decide_conditions("x", spec, before, status, t0 + 5s);
  EXPECT_EQ(progressing(status).updated, t0) << "nothing new";

  status.template_statuses[0].available_replicas = 1;
  decide_conditions("x", spec, before, status, t0 + 7s);
  EXPECT_EQ(progressing(status).updated, t0 + 7s);
  EXPECT_EQ(progressing(status).transitioned, t0);

  status.phase = "Running";
  status.available_at = t0 + 7s;
  before = status;
  decide_conditions("x", spec, before, status, t0 + 8s);
  EXPECT_EQ(progressing(status).reason, "NewReplicaSetAvailable");
  EXPECT_EQ(progressing(status).message, "Experiment \"x\" is running.");
  EXPECT_EQ(progressing(status).transitioned, t0);

  before = status;
  status.phase = "Failed";
  decide_conditions("x", spec, before, status, t0 + 20s);
  EXPECT_EQ(progressing(status),
            (Told{"False", "ExperimentFailed", "Experiment \"x\" has ended.", t0 + 20s, t0 + 20s}));
  status = before;
  status.phase = "Error";
  status.message = "no such template";
  decide_conditions("x", spec, before, status, t0 + 20s);
  EXPECT_EQ(progressing(status).reason, "ExperimentError");
  EXPECT_EQ(progressing(status).message, "Experiment \"x\" has ended: no such template");
  status = before;
  status.phase = "Successful";
  decide_conditions("x", spec, before, status, t0 + 80s);
  EXPECT_EQ(progressing(status),
            (Told{"False", "ExperimentCompleted",
                  "Experiment \"x\" has successfully ran and completed.", t0 + 80s, t0 + 80s}));
}

}  // namespace
}  // namespace slipway::experiment
