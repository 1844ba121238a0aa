#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/measure_source.h"

namespace slipway::analysis {

// One number, as Prometheus answers an instant query.
inline metrics::Answer number_answer(double value) {
  return {.shape = metrics::Answer::Shape::kVector,
          .series = {{.points = {{Time(std::chrono::seconds(1'767'225'600)), value}}}}};
}

// Sources as a test wants them, with a journal of what they were asked.
class FakeSources {
 public:
  explicit FakeSources(Loop& loop) : loop_(loop) {}

  struct Asked {
    metrics::ProviderSpec spec;
    metrics::Query query;
  };
  std::vector<Asked> asked = {};
  int open = 0, most_open = 0;  // questions that were not answered yet

  std::function<Result<metrics::Answer>(const Asked& asked)> answer = [](const Asked&) {
    return number_answer(1);
  };
  // How long an answer takes; one that is stopped meanwhile fails.
  std::function<Duration(const Asked& asked)> takes = [](const Asked&) { return Duration(); };

  OpenProvider opener() {
    return [this](metrics::ProviderSpec spec) -> Result<std::unique_ptr<metrics::Provider>> {
      return std::make_unique<FakeProvider>(*this, std::move(spec));
    };
  }

 private:
  class FakeProvider final : public metrics::Provider {
   public:
    FakeProvider(FakeSources& sources, metrics::ProviderSpec spec)
        : sources_(sources), spec_(std::move(spec)) {}

    slipway::Task<Result<metrics::Answer>> query(metrics::Query query) override {
      const Asked question{spec_, query};
      sources_.asked.push_back(question);
      sources_.most_open = std::max(sources_.most_open, ++sources_.open);
      const Duration wait = sources_.takes(question);
      const bool waited =
          wait == Duration() || co_await sleep_for(sources_.loop_, wait, query.stop);
      --sources_.open;
      if (!waited) co_return fail(ErrorCode::kCancelled, "stopped");
      co_return sources_.answer(question);
    }
    slipway::Task<Result<>> is_online() override { co_return Result<>(); }

   private:
    FakeSources& sources_;
    metrics::ProviderSpec spec_;
  };

  Loop& loop_;
};

}  // namespace slipway::analysis
