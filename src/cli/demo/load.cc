#include "cli/demo/load.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/demo/app_answers.h"

namespace slipway::cli {

namespace {

constexpr Duration kFull = std::chrono::milliseconds(5);  // until there is room again

}  // namespace

std::uint64_t LoadCounts::answers() const {
  std::uint64_t all = 0;
  for (const auto& [name, version] : versions) all += version.answers;
  return all;
}

LoadCounts since(const LoadCounts& before, const LoadCounts& now) {
  LoadCounts counts = now;
  for (auto& [name, version] : counts.versions) {
    const auto old = before.versions.find(name);
    if (old == before.versions.end()) continue;
    version.answers -= old->second.answers;
    version.errors -= old->second.errors;
  }
  std::erase_if(counts.versions, [](const auto& one) { return one.second.answers == 0; });
  counts.lost -= before.lost;
  return counts;
}

Load::Load(Loop& loop, std::string url)
    : loop_(loop), url_(std::move(url)), client_(http::make_client(loop)), gate_(loop) {}

void Load::start() { gate_.spawn(run()); }

Task<> Load::stop() {
  gate_.request_stop();
  co_await gate_.close();
}

// A request is due at its moment, however late the last one was sent.
Task<> Load::run() {
  Duration due = loop_.clock().uptime();
  while (!gate_.stop().stop_requested()) {
    due += std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(-std::log1p(-random_->unit()) / kRate));
    const Duration now = loop_.clock().uptime();
    if (due > now && !co_await sleep_for(loop_, due - now, gate_.stop())) break;
    while (in_flight_ >= kMaxInFlight && co_await sleep_for(loop_, kFull, gate_.stop())) {
    }
    gate_.spawn(ask(random_->below(2) == 0 ? "/" : "/api/items"));
  }
}

Task<> Load::ask(std::string path) {
  ++in_flight_;
  auto answer = co_await client_->send({.url = url_ + path, .timeout = kPatience});
  --in_flight_;
  if (!answer) {
    lose(answer.error().message);
    co_return;
  }
  const std::string version(answer->headers.get(kVersionHeader));
  if (version.empty()) {
    lose(fmt::format("the proxy answered {}", answer->status));
    co_return;
  }
  auto& counted = counts_.versions[version];
  ++counted.answers;
  if (answer->status >= 500) ++counted.errors;
}

void Load::lose(std::string why) {
  ++counts_.lost;
  counts_.last_loss = std::move(why);
}

}  // namespace slipway::cli
