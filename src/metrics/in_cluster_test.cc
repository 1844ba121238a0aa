#include "async/sim_loop.h"
#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

// A cluster that keeps a journal, and answers each call in turn.
class FakeKube final : public KubeConnection {
 public:
  Task<Result<json::Value>> call(std::string method, std::string path, json::Value body, Duration,
                                 std::stop_token) override {
    journal.push_back(method + " " + path + (body.is_null() ? "" : " " + json::write(body)));
    std::string answer = answers[std::min(next_++, answers.size() - 1)];
    if (answer == "gone") co_return fail(ErrorCode::kNotFound, "it is not found");
    co_return json::read(answer);
  }
  std::vector<std::string> journal;
  bool is_shared() const override { return shared; }
  std::vector<std::string> answers = {"{}"};
  bool shared = false;

 private:
  std::size_t next_ = 0;
};

class InCluster : public ::testing::Test {
 protected:
  Result<Answer> ask(std::string type, std::string text) {
    auto provider = make_provider({.type = std::move(type), .ns = "shop"}, connections_);
    if (!provider) return std::unexpected(provider.error());
    return run_to_end(*loop_, (*provider)->query({.text = std::move(text), .at = at_seconds(5)}));
  }
  std::unique_ptr<SimLoop> loop_ = make_sim_loop();
  FakeKube kube_;
  Connections connections_{*loop_, [](const std::string&) { return std::string(); }, &kube_};
};

TEST_F(InCluster, KeptnMetricIsReadFromItsStatus) {
  kube_.answers = {R"({"status":{"value":"3.5"}})"};
  EXPECT_EQ(text_of(ask("keptn", "KeptnMetrics/ns/Response-Time\n")),
            "namespace=ns name=response-time 3.5@5");
  EXPECT_EQ(kube_.journal.at(0),
            "GET /apis/metrics.keptn.sh/v1beta1/namespaces/ns/keptnmetrics/response-time");
  kube_.answers = {"{}"};
  EXPECT_EQ(text_of(ask("keptn", "keptnmetric/ns/x")),
            "invalid: KeptnMetric ns/x has the value \"\", which is no number");
  kube_.answers = {"gone"};
  EXPECT_EQ(text_of(ask("keptn", "keptnmetric/ns/x")), "not_found: it is not found");
}

TEST_F(InCluster, ASharedOneIsAskedAboutTheOwnNamespaceOnly) {
  kube_.shared = true;
  kube_.answers = {R"({"status":{"value":"3.5"}})"};
  EXPECT_EQ(text_of(ask("keptn", "keptnmetric/shop/x")), "namespace=shop name=x 3.5@5");
  kube_.answers = {R"({"items":[{"metricName":"m","value":"2"}]})"};
  EXPECT_EQ(text_of(ask("externalmetrics", "shop/m")), "metricName=m 2@0");
  const std::string refused =
      "forbidden: the query asks about namespace {}; a run of namespace shop may ask about its own "
      "namespace only";
  EXPECT_EQ(text_of(ask("keptn", "keptnmetric/ns/x")), fmt::format(fmt::runtime(refused), "ns"));
  EXPECT_EQ(text_of(ask("keptn", "analysis/ns/x")), fmt::format(fmt::runtime(refused), "ns"));
  EXPECT_EQ(text_of(ask("externalmetrics", "m")), fmt::format(fmt::runtime(refused), "default"));
  EXPECT_EQ(kube_.journal.size(), 2U) << "nobody was asked";
}

TEST_F(InCluster, KeptnAnalysisIsMadeWaitedForAndRemoved) {
  kube_.answers = {"{}", R"({"status":{"state":"Pending"}})",
                   R"({"status":{"state":"Completed","pass":true}})", "{}"};
  Time before = loop_->clock().now();
  EXPECT_EQ(text_of(ask("keptn", "analysis/ns/def/5m/a=1;b=2;bad")), "namespace=ns name=def 1@5");
  EXPECT_EQ(loop_->clock().now() - before, 1s);
  ASSERT_EQ(kube_.journal.size(), 4U);
  std::string name = kube_.journal[3].substr(kube_.journal[3].rfind('/') + 1);
  EXPECT_TRUE(name.starts_with("def-"));
  EXPECT_EQ(name.size(), 10U);
  EXPECT_EQ(
      kube_.journal[0],
      "POST /apis/metrics.keptn.sh/v1beta1/namespaces/ns/analyses "
      R"({"apiVersion":"metrics.keptn.sh/v1beta1","kind":"Analysis","metadata":{"name":")" +
          name +
          R"(","namespace":"ns"},"spec":{"analysisDefinition":{"name":"def"},"timeframe":{"recent":"5m"},"args":{"a":"1","b":"2"}}})");
  EXPECT_EQ(kube_.journal[3],
            "DELETE /apis/metrics.keptn.sh/v1beta1/namespaces/ns/analyses/" + name);
}

TEST_F(InCluster, KeptnAnalysisThatNeverEndsIsRemovedToo) {
  kube_.answers = {"{}", "{}"};
  EXPECT_EQ(text_of(ask("keptn", "analysis/ns/def")),
            "timeout: the Keptn Analysis is not completed within 10s");
  EXPECT_TRUE(kube_.journal.back().starts_with("DELETE "));
}

TEST_F(InCluster, KeptnRefusesOtherQueries) {
  for (std::string text : {"", "keptnmetric/ns", "pod/ns/x", "keptnmetric//x"}) {
    EXPECT_EQ(ask("keptn", text).error().code, ErrorCode::kInvalid) << text;
  }
}

TEST_F(InCluster, ExternalMetricsAreListed) {
  kube_.answers = {
      R"({"items":[{"metricName":"m","metricLabels":{"a":"b"},"timestamp":"2026-01-01T00:00:00Z","value":"1111100u"}]})"};
  EXPECT_EQ(text_of(ask("externalmetrics", "default/myMetric?labelSelector=label1%3Dvalue1\n")),
            "metricName=m a=b 1.1111@1767225600");
  EXPECT_EQ(kube_.journal.at(0),
            "GET /apis/external.metrics.k8s.io/v1beta1/namespaces/default/"
            "myMetric?labelSelector=label1%3Dvalue1");
  kube_.answers = {R"({"items":[]})"};
  EXPECT_EQ(text_of(ask("externalmetrics", "/metric_only")), "nothing");
  EXPECT_EQ(kube_.journal.at(1),
            "GET /apis/external.metrics.k8s.io/v1beta1/namespaces/default/metric_only");
  for (std::string text :
       {"namespaceonly/", "/", "", "ns/metric/extra", "ns/m?labelSelector=%zz"}) {
    EXPECT_EQ(ask("externalmetrics", text).error().code, ErrorCode::kInvalid) << text;
  }
  kube_.answers = {R"({"items":[{"value":"many"}]})"};
  EXPECT_TRUE(text_of(ask("externalmetrics", "ns/m"))
                  .starts_with("invalid: invalid response: value \"many\": "));
}

class WithoutCluster : public ProviderTest {};

TEST_F(WithoutCluster, ExternalMetricsNeedAnAddress) {
  EXPECT_EQ(refusal({.type = "keptn"}),
            "keptn needs a cluster, and this server has none; `slipway analyze --kubeconfig FILE` "
            "and `slipway serve --kubeconfig FILE` ask one");
  EXPECT_EQ(refusal({.type = "externalmetrics"}),
            "externalmetrics needs a cluster, or the address of an API server in `address`");
  server_.answer(403, R"({"kind":"Status","message":"external.metrics.k8s.io is forbidden"})");
  ProviderSpec spec{.type = "externalmetrics",
                    .address = server_.url(),
                    .credentials = Credentials{{"token", "kube-token"}}};
  EXPECT_EQ(text_of(ask(spec, {.text = "ns/m"})),
            "forbidden: status 403: external.metrics.k8s.io is forbidden");
  EXPECT_EQ(
      server_.requests.at(0),
      request_text("GET /apis/external.metrics.k8s.io/v1beta1/namespaces/ns/m",
                   "Accept: application/json\nAuthorization: Bearer kube-token\n", "", false));
}

}  // namespace
}  // namespace slipway::metrics
