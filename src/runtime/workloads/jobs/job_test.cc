#include "runtime/workloads/jobs/job.h"

#include <gtest/gtest.h>

#include "runtime/workloads/jobs/job_controller.h"
#include "runtime/workloads/jobs/job_status.h"

namespace slipway::runtime {
namespace {

using namespace std::chrono_literals;

const Time kNow(100000s);

// A Pod in a few words: its phase, "deleting" and "counted".
PodView pod(std::string uid, PodPhase phase, std::string_view words = {}, int index = -1) {
  const bool over = phase == PodPhase::kSucceeded || phase == PodPhase::kFailed;
  return {.uid = std::move(uid),
          .node = "n",
          .phase = phase,
          .deleting = words.find("deleting") != words.npos,
          .created = kNow - 100s,
          .finished = over ? kNow - 50s : Time(),
          .tracked = words.find("counted") == words.npos,
          .index = index};
}

struct Seen {
  JobLook look;
  JobActions actions;
};
Seen see(const JobView& job, const std::vector<PodView>& pods, Time now = kNow) {
  std::vector<JobPod> all;
  for (const PodView& one : pods) all.push_back({.pod = &one});
  JobLook look = look_at_job(job, all, now);
  JobActions actions = decide_job(job, look, now);
  return {std::move(look), std::move(actions)};
}

constexpr auto kRunning = PodPhase::kRunning;
constexpr auto kSucceeded = PodPhase::kSucceeded;
constexpr auto kFailed = PodPhase::kFailed;

TEST(Job, RunsNoMoreThanParallelismNorThanIsLeftToDo) {
  struct Case {
    std::string_view rule;
    JobView job;
    std::vector<PodView> pods;
    std::int64_t create;
    std::size_t remove;
  };
  const Case cases[] = {
      {"as many as parallelism", {.completions = 5, .parallelism = 2}, {}, 2, 0},
      {"as many as are left", {.completions = 1, .parallelism = 3}, {}, 1, 0},
      {"those that run count", {.completions = 5, .parallelism = 3}, {pod("a", kRunning)}, 2, 0},
      {"those that succeeded count",
       {.completions = 2, .parallelism = 3},
       {pod("a", kSucceeded), pod("b", kRunning)},
       0,
       0},
      {"too many go",
       {.completions = 5, .parallelism = 1},
       {pod("a", kRunning), pod("b", kRunning), pod("c", kRunning)},
       0,
       2},
      {"without completions one success is enough",
       {.parallelism = 3},
       {pod("a", kSucceeded), pod("b", kRunning)},
       0,
       0},
      {"suspended runs nothing",
       {.completions = 2, .parallelism = 2, .suspended = true},
       {pod("a", kRunning)},
       0,
       1},
      {"one on its way out is replaced",
       {.completions = 1, .parallelism = 1},
       {pod("a", kRunning, "deleting counted")},
       1,
       0},
      {"unless it is waited for",
       {.completions = 1, .parallelism = 1, .replaces_failed_only = true},
       {pod("a", kRunning, "deleting counted")},
       0,
       0},
  };
  for (const Case& c : cases) {
    // Long after any failure, so that no back-off plays a part.
    const Seen seen = see(c.job, c.pods, kNow + 1h);
    EXPECT_EQ(seen.actions.create, c.create) << c.rule;
    EXPECT_EQ(seen.actions.remove.size(), c.remove) << c.rule;
    EXPECT_FALSE(seen.look.end) << c.rule;
  }
}

TEST(Job, APodIsWrittenDownThenFreedThenCounted) {
  JobView job{.completions = 2, .parallelism = 1};
  std::vector<PodView> pods{pod("a", kSucceeded), pod("b", kFailed)};
  Seen seen = see(job, pods);
  EXPECT_EQ(seen.look.uncounted_succeeded, std::vector<std::string>{"a"});
  EXPECT_EQ(seen.look.uncounted_failed, std::vector<std::string>{"b"});
  EXPECT_EQ(seen.look.succeeded, 0);
  EXPECT_EQ(seen.look.ended.size(), 2u);

  job.status = decide_job_status(job, seen.look, {}, kNow).status;
  pods[0].tracked = false;  // freed; of the other we do not know yet
  seen = see(job, pods);
  EXPECT_EQ(seen.look.succeeded, 1);
  EXPECT_TRUE(seen.look.uncounted_succeeded.empty());
  EXPECT_EQ(seen.look.uncounted_failed, std::vector<std::string>{"b"});

  job.status = decide_job_status(job, seen.look, {}, kNow).status;
  pods.clear();  // gone altogether
  seen = see(job, pods);
  EXPECT_EQ(seen.look.succeeded, 1);
  EXPECT_EQ(seen.look.failed, 1);
  EXPECT_TRUE(seen.look.all_counted);
}

TEST(Job, EndsForTheFirstReasonThatHolds) {
  struct Case {
    std::string_view reason;
    bool success;
    JobView job;
    std::vector<PodView> pods;
  };
  PodView restarted = pod("a", kRunning);
  restarted.all_restarts = 2;
  json::Object started{{"startTime", format_time(kNow - 60s)}};
  const Case cases[] = {
      {"CompletionsReached", true, {.completions = 1}, {pod("a", kSucceeded)}},
      {"CompletionsReached", true, {}, {pod("a", kSucceeded), pod("b", kFailed)}},
      {"", false, {}, {pod("a", kSucceeded), pod("b", kRunning)}},
      {"BackoffLimitExceeded",
       false,
       {.completions = 1, .backoff_limit = 1},
       {pod("a", kFailed), pod("b", kFailed)}},
      {"", false, {.completions = 1, .backoff_limit = 2}, {pod("a", kFailed), pod("b", kFailed)}},
      {"BackoffLimitExceeded",
       false,
       {.completions = 1, .backoff_limit = 2, .restarts_in_place = true},
       {restarted}},
      {"", false, {.completions = 1, .backoff_limit = 2}, {restarted}},
      {"DeadlineExceeded", false, {.completions = 1, .deadline = 60s, .status = started}, {}},
      {"", false, {.completions = 1, .deadline = 61s, .status = started}, {}},
      {"", false, {.completions = 1, .deadline = 60s, .suspended = true, .status = started}, {}},
  };
  for (const Case& c : cases) {
    const Seen seen = see(c.job, c.pods);
    EXPECT_EQ(seen.look.end ? seen.look.end->reason : "", c.reason);
    if (seen.look.end) EXPECT_EQ(seen.look.end->success, c.success);
  }
}

TEST(Job, FailuresDelayTheNextPodLongerEachTime) {
  struct Case {
    int failures;
    Duration wait;
  };
  for (const Case& c :
       {Case{0, 0s}, Case{1, 10s}, Case{2, 20s}, Case{3, 40s}, Case{7, 600s}, Case{20, 600s}}) {
    std::vector<PodView> pods;
    for (int i = 0; i < c.failures; ++i) {
      pods.push_back(pod(std::to_string(i), kFailed, "counted"));
      pods.back().finished = kNow;
    }
    const JobView job{.completions = 1, .backoff_limit = 100};
    EXPECT_EQ(see(job, pods).actions.again.value_or(0s), c.wait) << c.failures;
    EXPECT_EQ(see(job, pods, kNow + c.wait).actions.create, 1) << c.failures;
  }
}

TEST(Job, SaysItIsOverWhenAllPodsAreGoneAndCounted) {
  JobView job{.completions = 1, .backoff_limit = 0};
  job.status["startTime"] = format_time(kNow);
  std::vector<PodView> pods{pod("a", kFailed), pod("b", kRunning)};
  const auto conditions = [&] {
    std::string types;
    if (const json::Value* all = job.status.if_contains("conditions"))
      for (const auto& one : all->as_array())
        types += std::string(one.at("type").as_string()) + " ";
    return types;
  };
  const auto step = [&] {
    Seen seen = see(job, pods);
    JobEffect effect{.removed = seen.actions.remove};
    job.status = decide_job_status(job, seen.look, effect, kNow).status;
    return conditions();
  };
  EXPECT_EQ(step(), "FailureTarget ");
  pods[0].tracked = false;
  pods[1].deleting = true;
  EXPECT_EQ(step(), "FailureTarget ");  // b is written down
  pods[1].tracked = false;
  EXPECT_EQ(step(), "FailureTarget ");  // and on its way out
  pods.clear();
  EXPECT_EQ(step(), "FailureTarget Failed ");
  EXPECT_EQ(job.status.at("failed"), 2);
  EXPECT_TRUE(job.is_finished());
}

TEST(Job, IndexesThatAreDoneOrRunningAreNotStartedAgain) {
  JobView job{.completions = 6, .parallelism = 4, .indexed = true};
  job.status["completedIndexes"] = "0-1";
  const std::vector<PodView> pods{pod("a", kRunning, "", 3), pod("b", kSucceeded, "", 4),
                                  pod("c", kFailed, "counted", 2)};
  const Seen seen = see(job, pods, kNow + 1h);
  EXPECT_EQ(seen.look.succeeded, 3);
  EXPECT_EQ(write_indexes(seen.look.done_indexes), "0,1,4");
  EXPECT_EQ(seen.actions.indexes, (std::vector<std::int64_t>{2, 5}));
}

TEST(Job, TwoPodsOfOneIndexAreOneTooMany) {
  const JobView job{.completions = 3, .parallelism = 3, .indexed = true};
  std::vector<PodView> pods{pod("a", kRunning, "", 0), pod("b", kRunning, "", 0),
                            pod("c", kRunning, "", 7)};
  pods[0].ready = true;
  const Seen seen = see(job, pods);
  ASSERT_EQ(seen.actions.remove.size(), 2u);
  for (const PodView* gone : seen.actions.remove) EXPECT_NE(gone->uid, "a");
}

TEST(JobIndexes, AreWrittenAsRanges) {
  for (const std::string_view text : {"", "0", "0,1", "0-2", "1,3-5,7", "0,1,3,4"})
    EXPECT_EQ(write_indexes(read_indexes(text)), text);
  EXPECT_EQ(write_indexes(read_indexes("x,2-,3")), "3");
}

TEST(JobPolicy, TheFirstRuleThatMatchesDecides) {
  const json::Value policy = *json::read(R"({"rules":[
      {"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget","status":"True"}]},
      {"action":"FailJob","onExitCodes":{"containerName":"main","operator":"In","values":[42]}},
      {"action":"Count","onExitCodes":{"operator":"NotIn","values":[1]}}]})");
  const auto ask = [&](std::string_view status) {
    return ask_failure_policy(policy,
                              json::read(R"({"metadata":{"name":"p","namespace":"ns"},"status":)" +
                                         std::string(status) + "}")
                                  ->as_object());
  };
  const auto ended = [](std::string_view name, int code) {
    return R"({"containerStatuses":[{"name":")" + std::string(name) +
           R"(","state":{"terminated":{"exitCode":)" + std::to_string(code) + "}}}]}";
  };
  EXPECT_FALSE(ask(R"({"conditions":[{"type":"DisruptionTarget","status":"True"}]})").counts);
  EXPECT_EQ(
      ask(ended("main", 42)).fail_job,
      "Container main for pod ns/p failed with exit code 42 matching FailJob rule at index 1");
  EXPECT_EQ(ask(ended("other", 42)).fail_job, "");
  EXPECT_TRUE(ask(ended("other", 42)).counts);
  EXPECT_TRUE(ask(ended("main", 1)).counts);
}

TEST(JobPods, CarryTheFinalizerAndTheirIndex) {
  const json::Object job = json::read(R"({"apiVersion":"batch/v1","kind":"Job",
      "metadata":{"name":"pi","uid":"u"},"spec":{"template":{"metadata":{"labels":{"a":"b"}},
      "spec":{"containers":[{"name":"c","image":"i"}]}}}})")
                               ->as_object();
  const json::Value plain = pod_of_job(job, std::nullopt);
  EXPECT_EQ(json::write(plain.at("metadata").at("finalizers")),
            R"(["batch.kubernetes.io/job-tracking"])");
  EXPECT_EQ(plain.at("metadata").at("generateName"), "pi-");
  const json::Value third = pod_of_job(job, 3);
  EXPECT_EQ(third.at("metadata").at("generateName"), "pi-3-");
  EXPECT_EQ(third.at("metadata").at("annotations").at(kIndexAnnotation), "3");
  EXPECT_EQ(third.at("metadata").at("labels").at(kIndexAnnotation), "3");
  EXPECT_EQ(third.at("spec").at("hostname"), "pi-3");
  EXPECT_EQ(json::write(third.at("spec").at("containers").at(0).at("env").at(0)),
            R"({"name":"JOB_COMPLETION_INDEX","valueFrom":{"fieldRef":{"fieldPath":)"
            R"("metadata.labels['batch.kubernetes.io/job-completion-index']"}}})");
}

}  // namespace
}  // namespace slipway::runtime
