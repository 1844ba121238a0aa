#include "cli/demo/play.h"

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/tree/gather.h"

namespace slipway::cli {

namespace {

constexpr Duration kPoll = std::chrono::milliseconds(500);
constexpr Duration kCountEvery = std::chrono::seconds(2);  // the line about traffic
constexpr Duration kQuiet = std::chrono::seconds(1);       // of one version alone
constexpr std::string_view kRollout = "/apis/argoproj.io/v1alpha1/namespaces/default/rollouts/web";
constexpr std::string_view kGateway =
    "/apis/gateway.networking.k8s.io/v1/namespaces/default/gateways/web";

std::unexpected<Error> late(std::string what, Duration patience) {
  return fail(ErrorCode::kTimeout,
              fmt::format("{} within {}", std::move(what), format_duration(patience)));
}

// Where a Gateway that has been put to work listens; empty before that.
std::string listening_at(const json::Value& gateway) {
  const json::Value* addresses = json::at(gateway, {"status", "addresses"});
  const json::Value* conditions = json::at(gateway, {"status", "conditions"});
  const json::Value* listeners = json::at(gateway, {"spec", "listeners"});
  for (const json::Value* list : {addresses, conditions, listeners})
    if (!list || !list->is_array() || list->get_array().empty()) return {};
  for (const json::Value& condition : conditions->get_array())
    if (json::string_at(condition, {"type"}) == "Programmed" &&
        json::string_at(condition, {"status"}) == "True")
      return fmt::format("http://{}:{}", json::string_at(addresses->get_array()[0], {"value"}),
                         json::write(*json::at(listeners->get_array()[0], {"port"})));
  return {};
}

}  // namespace

Play::Play(Stage& stage)
    : stage_(stage), session_(stage.session()), loop_(session_.loop()), screen_(stdout) {}

Task<Result<>> Play::perform(std::vector<Release> releases) {
  auto done = co_await wait_for_first();
  if (done) {
    load_.emplace(loop_, url_);
    load_->start();
    done = co_await wait_for_traffic(serving_);
    for (const Release& next : releases)
      if (done && (told_.empty() || told_.back().ending == told_.back().wanted))
        done = co_await release(next);
    co_await load_->stop();
  }
  co_return done;
}

Task<Result<Play::Seen>> Play::look() {
  auto document = co_await session_.send({.target = std::string(kRollout)});
  if (!document) co_return std::unexpected(std::move(document).error());
  auto rollout = read_rollout(std::move(*document));
  if (!rollout) co_return std::unexpected(std::move(rollout).error());
  auto grove = co_await gather_grove(session_, rollout->document);
  if (!grove) co_return std::unexpected(std::move(grove).error());
  co_return Seen{.rollout = std::move(*rollout), .grove = std::move(*grove)};
}

Task<Result<>> Play::wait_for_first() {
  SLIPWAY_CO_TRY(co_await stage_.wait_for_prometheus());
  const Duration deadline = now() + kFirstPatience;
  while (now() < deadline) {
    const auto seen = co_await look();
    if (!seen) co_return std::unexpected(seen.error());
    if (ending_of(seen->rollout.view) == Ending::kPromoted) co_return co_await find_gateway();
    co_await sleep_for(loop_, kPoll);
  }
  const auto seen = co_await look();
  if (seen) print(rollout_text(seen->rollout, seen->grove, {.colour = colours()}));
  co_return late("the first version does not come up", kFirstPatience);
}

Task<Result<>> Play::find_gateway() {
  const Duration deadline = now() + kFirstPatience;
  while (now() < deadline) {
    const auto gateway = co_await session_.send({.target = std::string(kGateway)});
    if (!gateway) co_return std::unexpected(gateway.error());
    url_ = listening_at(*gateway);
    if (!url_.empty()) co_return Result<>{};
    co_await sleep_for(loop_, kPoll);
  }
  co_return late("the Gateway does not listen", kFirstPatience);
}

Task<Result<>> Play::release(Release release) {
  print_line(fmt::format("\n{}: {}", release.version, release.about));
  print_line(fmt::format("$ slipway rollout set image web web=demo/web:{}", release.version));
  told_.push_back({.version = release.version, .wanted = release.wanted});
  const LoadCounts before = load_->counts();
  began_ = now();
  screen_ = LiveScreen(stdout);  // below what has been printed
  SLIPWAY_CO_TRY(co_await set_image(release.version));
  auto done = co_await follow();
  Told& told = told_.back();
  told.took = now() - began_;
  if (told.ending == Ending::kPromoted) serving_ = told.version;
  if (done) done = co_await wait_for_traffic(serving_);
  told.load = since(before, load_->counts());
  if (!done) co_return done;
  const auto seen = co_await look();
  if (seen) show(*seen);
  if (!stdout_is_terminal()) say_once(last_state_, traffic_);
  co_return Result<>{};
}

Task<Result<>> Play::set_image(std::string version) {
  const json::Value patch =
      json::Array{json::Object{{"op", "replace"},
                               {"path", "/spec/template/spec/containers/0/image"},
                               {"value", "demo/web:" + version}}};
  store::kube::Call call{.method = "PATCH",
                         .target = std::string(kRollout),
                         .body = json::write(patch),
                         .repeatable = true};
  call.headers.set("Content-Type", "application/json-patch+json");
  auto answer = co_await session_.send(std::move(call));
  if (!answer) co_return std::unexpected(answer.error());
  co_return Result<>{};
}

Task<Result<>> Play::follow() {
  const Duration deadline = began_ + kReleasePatience;
  while (now() < deadline) {
    const auto seen = co_await look();
    if (!seen) co_return std::unexpected(seen.error());
    Told& told = told_.back();
    told.ending = ending_of(seen->rollout.view);
    told.message = seen->rollout.view.status.message;
    if (const auto run = analysis_of(seen->rollout, seen->grove)) told.figures = figures_of(*run);
    show(*seen);
    if (told.ending != Ending::kUnderWay) co_return Result<>{};
    co_await sleep_for(loop_, kPoll);
  }
  co_return late(fmt::format("{} is neither promoted nor aborted", told_.back().version),
                 kReleasePatience);
}

// Requests reach nobody else any more.
Task<Result<>> Play::wait_for_traffic(std::string version) {
  const Duration deadline = now() + kReturnPatience;
  while (now() < deadline) {
    const LoadCounts before = load_->counts();
    co_await sleep_for(loop_, kQuiet);
    const LoadCounts counts = since(before, load_->counts());
    traffic_ = traffic_line(counts, kQuiet);
    shown_counts_ = load_->counts();
    shown_at_ = now();
    if (counts.versions.size() == 1 && counts.versions.contains(version)) co_return Result<>{};
  }
  co_return late(fmt::format("requests do not all reach {} ({}; {})", version, traffic_,
                             load_->counts().last_loss),
                 kReturnPatience);
}

void Play::show(const Seen& seen) {
  if (now() - shown_at_ >= kCountEvery) {
    traffic_ = traffic_line(since(shown_counts_, load_->counts()), now() - shown_at_);
    shown_counts_ = load_->counts();
    shown_at_ = now();
  }
  if (stdout_is_terminal()) {
    const TreeOptions options{.colour = colours(), .columns = screen_.columns()};
    screen_.show(fmt::format("Traffic:         {}\n{}", traffic_,
                             rollout_text(seen.rollout, seen.grove, options)));
    return;
  }
  const auto& figures = told_.back().figures;
  say_once(last_look_, figures && figures->looks > 0 ? figures_line(*figures) : std::string());
  say_once(last_state_, state_line(seen.rollout, seen.grove));
}

void Play::say_once(std::string& last, std::string line) {
  if (line == last || line.empty()) return;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now() - began_).count();
  print_line(fmt::format("{:>5} s  {}", seconds, line));
  last = std::move(line);
}

}  // namespace slipway::cli
