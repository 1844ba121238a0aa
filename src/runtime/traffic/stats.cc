#include "runtime/traffic/stats.h"

#include <algorithm>

namespace slipway::runtime::traffic {

Counters& Counters::operator+=(const Counters& more) {
  requests += more.requests;
  errors += more.errors;
  latency_us += more.latency_us;
  return *this;
}

Counters since(const Counters& before, const Counters& now) {
  const auto grown = [](std::uint64_t old, std::uint64_t fresh) {
    return fresh < old ? fresh : fresh - old;
  };
  return {.requests = grown(before.requests, now.requests),
          .errors = grown(before.errors, now.errors),
          .latency_us = grown(before.latency_us, now.latency_us)};
}

void Ledger::read(const std::string& id, const Reading& reading, bool fresh, Time now) {
  const bool known = last_.contains(id);
  Reading& last = last_[id];
  for (const auto& [service, counters] : reading) {
    const bool first = !history_.contains(service);
    // What a process has counted for a Service that is gone is nobody's any more.
    if (first && last.contains(service) && last[service] == counters) continue;
    // A Service that is new has had nothing until now, unless the proxy ran before us.
    if (first && (fresh || known)) note(service, previous_.value_or(now));
    Counters& total = totals_[service];
    const Counters before = total;
    total += since(last[service], counters);
    last[service] = counters;
    if (first || total != before) note(service, now);
  }
  previous_ = now;
}

void Ledger::note(const store::Key& service, Time at) {
  auto& samples = history_[service];
  samples.push_back({at, totals_[service]});
  // The one before the window says what it began with.
  while (samples.size() > kMaxSamples || (samples.size() > 2 && samples[1].at < at - kKeep))
    samples.pop_front();
}

void Ledger::forget_service(const store::Key& service) {
  history_.erase(service);
  totals_.erase(service);
}

std::optional<Counters> Ledger::between(const store::Key& service, Time from, Time to) const {
  const auto found = history_.find(service);
  if (found == history_.end() || found->second.empty()) return std::nullopt;
  const auto& samples = found->second;
  const auto at = [&](Time time) {
    const auto after = std::ranges::upper_bound(samples, time, {}, &Sample::at);
    return after == samples.begin() ? after : after - 1;
  };
  if (to < samples.front().at) return std::nullopt;
  return since(at(from)->counters, at(to)->counters);
}

}  // namespace slipway::runtime::traffic
