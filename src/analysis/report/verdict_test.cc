#include "analysis/report/verdict.h"

#include <gtest/gtest.h>

#include "analysis/report/run_fixture.h"

namespace slipway::analysis::report {
namespace {

Evidence looked(std::string reason, double p, std::string message) {
  Evidence evidence{.name = "m", .message = std::move(message), .compares = true};
  EvidenceLook look{.look = 2};
  look.p = p;
  look.ratio = 1.5;
  look.reason = std::move(reason);
  evidence.looks.push_back(std::move(look));
  return evidence;
}

TEST(MetricReason, SaysAFindingOnce) {
  const std::string first = "the experiment is larger than the control: z 3 reached its boundary 2";
  EXPECT_EQ(metric_reason(looked(first, 0.001, first)),
            first + "; experiment / control is 1.5; p 0.001");
  // The metric's message is of the look that failed, the newest look may be another.
  EXPECT_EQ(metric_reason(looked(first, 0.001, "the experiment is larger than the control: z 4")),
            first + "; experiment / control is 1.5; p 0.001");
  EXPECT_EQ(metric_reason(looked(first, 0.001, "no answer")),
            first + "; experiment / control is 1.5; p 0.001; no answer");
}

TEST(MetricReason, SaysPOnceHoweverItIsRounded) {
  const std::string anytime = "the experiment is larger than the control: p 0.0135 at look 2";
  EXPECT_EQ(metric_reason(looked(anytime, 0.01347, anytime)),
            anytime + "; experiment / control is 1.5");
  const std::string none = "no difference found in 2 looks (p 0.135)";
  EXPECT_EQ(metric_reason(looked(none, 0.1347, none)), none + "; experiment / control is 1.5");
}

TEST(MetricReason, SaysAValueOutsideItsRangeOnce) {
  Evidence evidence{.name = "m",
                    .message = "the value 101 is above the expected maximum 100",
                    .condition = "at most 100",
                    .most = 100,
                    .last = 101};
  EXPECT_EQ(metric_reason(evidence), "101, must be at most 100");
  evidence.last = 1;  // of several values
  EXPECT_EQ(metric_reason(evidence), "1, must be at most 100; " + evidence.message);
}

TEST(RunVerdict, ADryRunThatFailedHasNotPassed) {
  const auto run = run_from(R"yaml(
kind: AnalysisRun
spec: {metrics: [{name: a}, {name: b}, {name: c}, {name: d}]}
status:
  phase: Successful
  metricResults:
  - {name: a, phase: Successful}
  - {name: b, phase: Failed, dryRun: true}
  - {name: c, phase: Successful, dryRun: true}
  - {name: d, phase: Error, dryRun: true}
)yaml");
  EXPECT_EQ(run_verdict(run),
            "Successful: 2 metrics passed, 1 failed in dry run, 1 with errors in dry run");
}

TEST(RunVerdict, NamesTheMetricsThatNeverSawAPoint) {
  const auto run = run_from(R"yaml(
kind: AnalysisRun
spec:
  metrics:
  - name: compared
    provider:
      compare:
        control: {prometheus: {address: 'http://p', query: a}}
        experiment: {prometheus: {address: 'http://p', query: b}}
  - {name: empty, provider: {prometheus: {address: 'http://p', query: c}}}
  - {name: seen, provider: {prometheus: {address: 'http://p', query: d}}}
  - {name: forgotten, provider: {prometheus: {address: 'http://p', query: e}}}
  - {name: worked, provider: {job: {spec: {}}}}
status:
  phase: Successful
  metricResults:
  - name: compared
    phase: Successful
    count: 1
    measurements: [{phase: Successful, samples: {control: [], experiment: [], noSeries: true}}]
  - {name: empty, phase: Successful, count: 1, measurements: [{phase: Successful, value: '[]'}]}
  - name: seen
    phase: Successful
    count: 2
    measurements: [{phase: Successful, value: '[1]'}, {phase: Successful, value: '[]'}]
  - {name: forgotten, phase: Successful, count: 2, measurements: [{phase: Successful, value: '[]'}]}
  - {name: worked, phase: Successful, count: 1, measurements: [{phase: Successful}]}
)yaml");
  EXPECT_EQ(run_verdict(run),
            "Successful: 5 metrics passed; compared, empty never saw a point: is the query right?");
}

}  // namespace
}  // namespace slipway::analysis::report
