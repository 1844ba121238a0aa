#include "cli/demo/app.h"

#include <fmt/format.h>

#include "async/interrupt.h"
#include "async/real_loop.h"
#include "base/random.h"
#include "cli/demo/app_answers.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "http/server.h"

namespace slipway::cli {

namespace {

// Between the order to stop and the end of listening.
constexpr Duration kLinger = std::chrono::milliseconds(1500);
constexpr Duration kStopGrace = std::chrono::seconds(2);

class App final : public http::Handler {
 public:
  App(Loop& loop, const DemoAppOptions& options, Duration latency)
      : loop_(loop), options_(options), latency_(latency), counters_(options.version) {}

  std::unique_ptr<http::Response> refuse(const http::Request&) override { return nullptr; }

  Task<http::Response> handle(http::Request request) override {
    http::Response response;
    response.headers.set(std::string(kVersionHeader), options_.version);
    if (request.target.path == "/metrics") {
      response.headers.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      response.body = counters_.text();
      co_return response;
    }
    const Duration began = loop_.clock().uptime();
    const std::string& path = request.target.path;
    const bool fails = is_app_page(path) && failures_.next();
    AppAnswer answer = app_answer(path, options_.version, fails);
    if (!answer.route.empty()) {
      // Half to one and a half times as long.
      const double part = 0.5 + random_->unit();
      co_await sleep_for(loop_, std::chrono::duration_cast<Duration>(latency_ * part));
    }
    counters_.count(answer, loop_.clock().uptime() - began);
    response.status = answer.status;
    response.headers.set("Content-Type", answer.content_type);
    response.body = std::move(answer.body);
    co_return response;
  }

 private:
  Loop& loop_;
  const DemoAppOptions& options_;
  Duration latency_;
  std::unique_ptr<Random> random_ = system_random();
  AppFailures failures_{options_.errors, random_->unit()};
  AppCounters counters_;
};

Task<> stop_later(Loop& loop, http::Server& server) {
  co_await sleep_for(loop, kLinger);
  co_await server.stop(kStopGrace);
  loop.stop();
}

}  // namespace

int demo_app(const DemoAppOptions& options) {
  const auto latency = parse_duration(options.latency);
  if (!latency) return complain(latency.error()), kExitUsage;
  const auto loop = make_loop();
  App app(*loop, options, *latency);
  auto server = http::listen(*loop, {.address = options.address, .port = options.port}, app);
  if (!server) return complain(server.error()), kExitCannotAsk;
  auto interrupts = on_interrupt(*loop, [&, asked = false](int) mutable {
    if (!std::exchange(asked, true)) spawn(*loop, stop_later(*loop, **server));
  });
  note(fmt::format("{} listens at http://{}:{}", options.version, options.address,
                   (*server)->port()));
  loop->run();
  return kExitDone;
}

void add_demo_app_command(CommandLine& line, DemoAppOptions& o) {
  auto* command = line.add("demo-app", "the web application of the demo",
                           "  slipway demo-app --version v2 --errors 0.01 --latency 5ms\n"
                           "  curl -i http://127.0.0.1:8080/",
                           [&o] { return demo_app(o); });
  command->add_option("--address", o.address, "address to listen on")
      ->envname("POD_IP")
      ->capture_default_str();
  command->add_option("--port", o.port, "port to listen on; 0 takes any free one")
      ->envname("PORT")
      ->capture_default_str();
  command->add_option("--version", o.version, "what it calls itself")
      ->envname("DEMO_VERSION")
      ->capture_default_str();
  command
      ->add_option("--errors", o.errors, "share of requests that fail, evenly spread: from 0 to 1")
      ->envname("DEMO_ERRORS")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--latency", o.latency, "how long an answer takes")
      ->envname("DEMO_LATENCY")
      ->capture_default_str();
}

}  // namespace slipway::cli
