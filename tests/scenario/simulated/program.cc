#include "scenario/simulated/program.h"

namespace slipway::scenario {

namespace {

constexpr Duration kMaxAnswerTime = std::chrono::milliseconds(300);

// Answers a query by the name it begins with.
class ScriptedProvider final : public metrics::Provider {
 public:
  ScriptedProvider(Loop& loop, Random& random, double fails, std::string source,
                   const MetricValues& values)
      : loop_(loop), random_(random), fails_(fails), source_(std::move(source)), values_(values) {}

  Task<Result<metrics::Answer>> query(metrics::Query query) override {
    const auto most = static_cast<std::uint64_t>(kMaxAnswerTime.count());
    if (!co_await sleep_for(loop_, Duration(random_.below(most)), query.stop))
      co_return fail(ErrorCode::kCancelled, "stopped");
    if (random_.unit() < fails_) co_return fail(ErrorCode::kUnavailable, "no answer");
    const auto found = values_.find({source_, query.text.substr(0, query.text.find('{'))});
    metrics::Answer answer{.shape = metrics::Answer::Shape::kVector};
    if (found == values_.end() || found->second == "none") co_return answer;
    if (found->second == "error") co_return fail(ErrorCode::kUnavailable, "the source is down");
    answer.series.push_back(
        {.points = {{loop_.clock().now(), std::strtod(found->second.c_str(), nullptr)}}});
    co_return answer;
  }
  Task<Result<>> is_online() override { co_return Result<>(); }

 private:
  Loop& loop_;
  Random& random_;
  double fails_;
  std::string source_;
  const MetricValues& values_;
};

}  // namespace

Program::Program(Loop& loop, store::Store& below, api::Registry& registry, Random& random,
                 Options options)
    : random_(random),
      store_(loop, below, random, options.faults),
      manager_(loop, store_, registry),
      recorder_(loop, store_, random, "rollouts-controller"),
      workloads_(manager_, random),
      garbage_(manager_, recorder_),
      measurer_(loop, store_,
                [this, &loop, fails = options.faults.unavailable, &values = options.metrics](
                    metrics::ProviderSpec spec) -> Result<std::unique_ptr<metrics::Provider>> {
                  return std::make_unique<ScriptedProvider>(loop, random_, fails, spec.type,
                                                            values);
                }),
      runs_(manager_, recorder_, measurer_),
      experiments_(manager_, recorder_),
      rollouts_(manager_, recorder_) {
  manager_.add(analysis::AnalysisRunReconciler::options(), runs_);
  manager_.add(experiment::ExperimentReconciler::options(), experiments_);
  manager_.add(rollouts_.options(), rollouts_);
  manager_.start();
}

Task<> Program::stop() {
  runs_.request_stop();
  experiments_.request_stop();
  rollouts_.request_stop();
  co_await manager_.stop();
  co_await workloads_.stop();
  co_await recorder_.stop();
}

}  // namespace slipway::scenario
