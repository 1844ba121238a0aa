#include "runtime/node/probe.h"

#include <gtest/gtest.h>

namespace slipway::runtime {
namespace {

using namespace std::chrono_literals;

json::Value container(std::string_view probe) {
  return *json::read(R"({"name": "a", "ports": [{"name": "web", "containerPort": 8000}],
                         "livenessProbe": )" +
                     std::string(probe) + "}");
}

TEST(Probe, ReadsEachActionWithKubernetesDefaults) {
  using Action = ProbeSpec::Action;
  const auto exec =
      parse_probe(container(R"({"exec": {"command": ["a", "b"]}})"), ProbeKind::kLiveness);
  ASSERT_TRUE(exec);
  EXPECT_EQ(exec->action, Action::kExec);
  EXPECT_EQ(exec->argv, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(exec->timeout, 1s);
  EXPECT_EQ(exec->period, 10s);
  EXPECT_EQ(exec->failure_threshold, 3);
  const auto http =
      parse_probe(container(R"({"httpGet": {"port": "web", "path": "x", "scheme": "HTTPS",
                    "httpHeaders": [{"name": "A", "value": "b"}]},
                    "initialDelaySeconds": 3, "periodSeconds": 2, "timeoutSeconds": 5,
                    "successThreshold": 4, "failureThreshold": 6,
                    "terminationGracePeriodSeconds": 7})"),
                  ProbeKind::kLiveness);
  ASSERT_TRUE(http);
  EXPECT_EQ(http->action, Action::kHttp);
  EXPECT_EQ(http->port, 8000);
  EXPECT_EQ(http->path, "/x");
  EXPECT_TRUE(http->tls);
  EXPECT_EQ(http->headers.front().second, "b");
  EXPECT_EQ(http->initial_delay, 3s);
  EXPECT_EQ(http->period, 2s);
  EXPECT_EQ(http->timeout, 5s);
  EXPECT_EQ(http->success_threshold, 4);
  EXPECT_EQ(http->failure_threshold, 6);
  EXPECT_EQ(http->grace_seconds, 7);
  const auto tcp =
      parse_probe(container(R"({"tcpSocket": {"port": 9, "host": "h"}})"), ProbeKind::kLiveness);
  EXPECT_EQ(tcp->action, Action::kTcp);
  EXPECT_EQ(tcp->host, "h");
  const auto grpc = parse_probe(container(R"({"grpc": {"port": 9}})"), ProbeKind::kLiveness);
  EXPECT_EQ(grpc->action, Action::kGrpc);
  const auto nowhere =
      parse_probe(container(R"({"tcpSocket": {"port": "none"}})"), ProbeKind::kLiveness);
  EXPECT_EQ(nowhere->port, 0);
  EXPECT_FALSE(parse_probe(container("{}"), ProbeKind::kReadiness));
}

// s and f are answers; after each, + is passed, - is not, x is must die.
TEST(Probe, AnswersAddUpAsTheThresholdsSay) {
  const struct {
    ProbeKind kind;
    bool before;
    int success, failure;
    const char* answers;
    const char* after;
  } cases[] = {
      {ProbeKind::kReadiness, false, 1, 3, "fsffsfff", "-++++++-"},
      {ProbeKind::kReadiness, false, 2, 1, "sfsss", "---++"},
      {ProbeKind::kReadiness, true, 1, 3, "ffsfff", "+++++-"},
      {ProbeKind::kLiveness, true, 1, 3, "ffsfff", "+++++x"},
      {ProbeKind::kLiveness, true, 1, 1, "fs", "xx"},
      {ProbeKind::kStartup, false, 1, 3, "ffsfff", "--++++"},
      {ProbeKind::kStartup, false, 1, 3, "fff", "--x"},
  };
  for (const auto& one : cases) {
    ProbeCount count({.success_threshold = one.success, .failure_threshold = one.failure}, one.kind,
                     one.before);
    EXPECT_EQ(count.passed(), one.before);
    std::string after;
    for (const char* answer = one.answers; *answer; ++answer) {
      count.add(*answer == 's');
      after += count.must_die() ? 'x' : count.passed() ? '+' : '-';
    }
    EXPECT_EQ(after, one.after) << one.answers;
  }
}

}  // namespace
}  // namespace slipway::runtime
