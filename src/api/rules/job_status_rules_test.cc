#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/admit.h"
#include "api/object.h"
#include "api/rules/admit_testing.h"
#include "api/rules/job_indexes.h"

// How a Job may end, in the words of kube-apiserver 1.34.
namespace slipway::api {
namespace {

// The findings about a Job with the status `before` that is given `now`; `more` is of its spec.
Lines change(std::string_view before, std::string_view now, std::string_view more = "") {
  static const std::unique_ptr<Registry> registry = Registry::make();
  const std::shared_ptr<const Resource> resource = registry->find(Gvk{"batch", "v1", "Job"});
  json::Object old = parse(fmt::format(
      R"({{"apiVersion":"batch/v1","kind":"Job","metadata":{{"name":"j","namespace":"default",
"uid":"7281196f-737f-4623-b632-6f12cbf28286"}},"spec":{{{}"template":{{"spec":
{{"restartPolicy":"Never","containers":[{{"name":"c","image":"i"}}]}}}}}}}})",
      more));
  std::vector<std::string> warnings;
  const Result<> made = admit(old, nullptr, *resource, Unknown::kStrict, {}, warnings);
  EXPECT_TRUE(made) << made.error().text();
  old["status"] = parse(before);
  json::Object object = old;
  object["status"] = parse(now);
  return findings_of(admit(object, &old, *resource, Unknown::kStrict, {}, warnings));
}

// {"startTime":…,"conditions":[…]} and what else there is.
std::string status(std::initializer_list<std::string_view> conditions, std::string_view more = "") {
  std::string list;
  for (const std::string_view type : conditions)
    list += fmt::format(R"({}{{"type":"{}","status":"True"}})", list.empty() ? "" : ",", type);
  return fmt::format(R"({{"startTime":"2026-01-01T00:00:00Z"{},"conditions":[{}]}})", more, list);
}
constexpr std::string_view kEnd = R"(,"completionTime":"2026-01-01T00:01:00Z")";
const std::string kBegun = status({});
const std::string kComplete = status({"SuccessCriteriaMet", "Complete"}, kEnd);

struct Case {
  std::string before, now;
  Lines findings;
};

void expect_all(std::initializer_list<Case> cases, std::string_view more = "") {
  for (const Case& one : cases)
    EXPECT_EQ(change(one.before, one.now, more), one.findings) << one.before << '\n' << one.now;
}

TEST(JobStatus, EndsAsTheJobControllerEndsIt) {
  expect_all({{"{}", kBegun, {}},
              {kBegun, status({"SuccessCriteriaMet"}), {}},
              {kBegun, kComplete, {}},
              {kBegun, status({"FailureTarget", "Failed"}, R"(,"failed":7)"), {}}});
}

TEST(JobStatus, CountsAreNotNegative) {
  expect_all({{kBegun,
               R"({"startTime":"2026-01-01T00:00:00Z","active":-1})",
               {"status.active: Invalid value: -1: must be greater than or equal to 0"}},
              {kBegun,
               R"({"startTime":"2026-01-01T00:00:00Z","active":1,"ready":2})",
               {"status.ready: Invalid value: 2: cannot set more ready pods than active"}}});
}

TEST(JobStatus, NamesUncountedPodsOnce) {
  expect_all(
      {{kBegun,
        status({}, R"(,"uncountedTerminatedPods":{"succeeded":["a",""],"failed":["a"]})"),
        {"status.uncountedTerminatedPods.succeeded[1]: Invalid value: \"\": must not be empty",
         "status.uncountedTerminatedPods.failed[0]: Duplicate value: \"a\""}},
       {kBegun,
        status({"SuccessCriteriaMet", "Complete"},
               std::string(kEnd) + R"(,"uncountedTerminatedPods":{"succeeded":["a"]})"),
        {R"(status.uncountedTerminatedPods: Invalid value: {"Succeeded":["a"],"Failed":null}: must be empty for finished job)"}}});
}

TEST(JobStatus, ACompleteJobHasSucceededAndHasATime) {
  expect_all(
      {{kBegun,
        status({"Complete"}),
        {"status.completionTime: Required value: completionTime is required for Complete jobs",
         "status.conditions: Invalid value: cannot set Complete=True condition without the "
         "SuccessCriteriaMet=true condition"}},
       {kBegun,
        status({}, kEnd),
        {"status.completionTime: Invalid value: \"2026-01-01T00:01:00Z\": cannot set "
         "completionTime when there is no Complete=True condition"}},
       {kBegun,
        status({"SuccessCriteriaMet", "Complete"}, R"(,"completionTime":"2025-01-01T00:00:00Z")"),
        {"status.completionTime: Invalid value: \"2025-01-01T00:00:00Z\": must be equal to or "
         "after `startTime`"}}});
}

TEST(JobStatus, DoesNotEndInTwoWays) {
  expect_all(
      {{kBegun,
        status({"SuccessCriteriaMet", "Complete", "FailureTarget", "Failed"}, kEnd),
        {"status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions",
         "status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true "
         "conditions",
         "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true "
         "conditions",
         "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and "
         "FailureTarget=true conditions"}},
       {kBegun,
        status({"Failed"}),
        {"status.conditions: Invalid value: cannot set Failed=True condition without the "
         "FailureTarget=true condition"}}});
}

TEST(JobStatus, AFinishedJobHasBegunAndRunsNothing) {
  expect_all({{"{}",
               R"({"conditions":[{"type":"FailureTarget","status":"True"},
{"type":"Failed","status":"True"}],"active":1,"terminating":2})",
               {"status.active: Invalid value: 1: active>0 is invalid for finished job",
                "status.startTime: Required value: startTime is required for finished job",
                "status.terminating: Invalid value: 2: terminating>0 is invalid for finished "
                "job"}}});
}

TEST(JobStatus, DoesNotGoBack) {
  const std::string counted = status({}, R"(,"failed":2,"succeeded":2)");
  expect_all(
      {{counted,
        status({}, R"(,"failed":1,"succeeded":1)"),
        {"status.failed: Invalid value: 1: cannot decrease the failed counter",
         "status.succeeded: Invalid value: 1: cannot decrease the succeeded counter"}},
       {kComplete,
        kBegun,
        {"status.conditions: Invalid value: cannot disable the terminal Complete=True condition",
         "status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition"}},
       {kBegun,
        "{}",
        {"status.startTime: Required value: startTime cannot be removed for unsuspended job"}},
       {kComplete,
        status({"SuccessCriteriaMet", "Complete"}, R"(,"completionTime":"2026-01-01T00:02:00Z")"),
        {"status.completionTime: Invalid value: \"2026-01-01T00:02:00Z\": field is immutable"}}});
}

TEST(JobStatus, IndexesAreThoseOfAnIndexedJob) {
  expect_all({{kBegun,
               status({}, R"(,"completedIndexes":"0","failedIndexes":"0")"),
               {"status.completedIndexes: Invalid value: \"0\": cannot set non-empty "
                "completedIndexes when non-indexed completion mode",
                "status.failedIndexes: Invalid value: \"0\": cannot set non-null failedIndexes "
                "when backoffLimitPerIndex is null",
                "status.failedIndexes: Invalid value: \"0\": failedIndexes and completedIndexes "
                "overlap at index: 0"}}});
  expect_all({{kBegun, status({}, R"(,"completedIndexes":"0,2-4","failedIndexes":"1")"), {}},
              {kBegun,
               status({}, R"(,"completedIndexes":"0,5")"),
               {"status.completedIndexes: Invalid value: \"0,5\": error parsing completedIndexes: "
                "too large index: \"5\""}},
              {kBegun,
               status({}, R"(,"completedIndexes":"0-3","failedIndexes":"2")"),
               {"status.failedIndexes: Invalid value: \"2\": failedIndexes and completedIndexes "
                "overlap at index: 2"}}},
             R"("completionMode":"Indexed","completions":5,"backoffLimitPerIndex":1,)");
}

TEST(JobIndexes, AreGrowingNumbersBelowTheCompletions) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},
      {"0,2-4,9", ""},
      {"a", "cannot convert string to integer for index: \"a\""},
      {"-1", "cannot convert string to integer for index: \"\""},
      {"1-", "cannot convert string to integer for index: \"\""},
      {"99999999999999999999",
       "cannot convert string to integer for index: "
       "\"99999999999999999999\""},
      {"1-10", "too large index: \"10\""},
      {"3-3", "non-increasing order, previous: 3, current: 3"},
      {"3,3", "non-increasing order, previous: 3, current: 3"},
      {"1-2-3",
       "the fragment \"1-2-3\" violates the requirement that an index interval can have "
       "at most two parts separated by '-'"},
  };
  for (const auto& [text, problem] : cases) EXPECT_EQ(index_list_problem(text, 10), problem);
}

}  // namespace
}  // namespace slipway::api
