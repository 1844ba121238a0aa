#include "control/leader.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "api/object.h"
#include "base/log.h"
#include "store/decode.h"

namespace slipway::control {

namespace {

const api::Gvr kLeases{"coordination.k8s.io", "v1", "leases"};
constexpr double kJitter = 1.2;  // copies that wait do not all ask at the same moment
constexpr std::int64_t kReleasedSeconds = 1;

std::int64_t number_at(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value* found = json::at(value, path);
  return found && found->is_int64() ? found->get_int64() : 0;
}

}  // namespace

LeaseRecord read_lease(const json::Object& lease) {
  const json::Value* spec = lease.if_contains("spec");
  if (!spec) return {};
  return {.holder = std::string(json::string_at(*spec, {"holderIdentity"})),
          .lease_seconds = number_at(*spec, {"leaseDurationSeconds"}),
          .acquired = std::string(json::string_at(*spec, {"acquireTime"})),
          .renewed = std::string(json::string_at(*spec, {"renewTime"})),
          .transitions = number_at(*spec, {"leaseTransitions"})};
}

void write_lease(json::Object& lease, const LeaseRecord& record) {
  json::Value& spec = lease["spec"];
  if (!spec.is_object()) spec = json::Object();
  json::Object& fields = spec.get_object();
  fields["holderIdentity"] = record.holder;
  fields["leaseDurationSeconds"] = record.lease_seconds;
  fields["acquireTime"] = record.acquired;
  fields["renewTime"] = record.renewed;
  fields["leaseTransitions"] = record.transitions;
}

std::string leader_identity(Random& random) {
  std::array<char, 256> host = {};
  if (::gethostname(host.data(), host.size() - 1) != 0) host = {'h', 'o', 's', 't'};
  return fmt::format("{}_{}", host.data(), random.uuid());
}

LeaseDecision decide_lease(const LeaderOptions& options, const std::optional<LeaseRecord>& seen,
                           Duration unchanged_for, Time now) {
  using Step = LeaseDecision::Step;
  LeaseRecord record{
      .holder = options.identity,
      .lease_seconds = std::chrono::ceil<std::chrono::seconds>(options.lease).count(),
      .acquired = format_micro_time(now),
      .renewed = format_micro_time(now)};
  if (!seen) return {Step::kCreate, std::move(record)};
  record.transitions = seen->transitions;
  if (seen->holder == options.identity) {
    if (!seen->acquired.empty()) record.acquired = seen->acquired;
    return {Step::kRenew, std::move(record)};
  }
  const bool over = unchanged_for >= std::chrono::seconds(seen->lease_seconds);
  if (!seen->holder.empty() && !over) return {Step::kWait, *seen};
  ++record.transitions;
  return {Step::kTake, std::move(record)};
}

// One time of leading.
struct LeaderElection::Term {
  explicit Term(Loop& loop) : ended(loop) {}
  std::stop_source stop;
  Signal ended;
  bool over = false;  // the work has ended
  bool lost = false;  // by our own clock, others may lead soon
  std::unique_ptr<Clock::Timer> expiry;
};

LeaderElection::LeaderElection(Loop& loop, store::Store& store, Random& random,
                               LeaderOptions options)
    : loop_(loop), store_(store), random_(random), options_(std::move(options)) {
  SLIPWAY_ASSERT(!options_.identity.empty());
  SLIPWAY_ASSERT(options_.retry < options_.renew && options_.renew < options_.lease);
}

void LeaderElection::see(const std::optional<LeaseRecord>& record) {
  if (record == seen_ && record) return;
  seen_ = record;
  seen_since_ = loop_.clock().uptime();
  std::string holder = record ? record->holder : std::string();
  if (holder == holder_) return;
  holder_ = std::move(holder);
  if (!holder_.empty()) log::info("leader", "{} leads", holder_);
}

Task<Result<bool>> LeaderElection::attempt() {
  Result<bool> held = co_await try_lease();
  contact_ = held ? Result<>() : std::unexpected(held.error());
  co_return held;
}

Task<Result<bool>> LeaderElection::try_lease() {
  const Duration began = loop_.clock().uptime();
  auto found = co_await store_.get(kLeases, {options_.ns, options_.name});
  if (!found && found.error().code != ErrorCode::kNotFound) {
    co_return std::unexpected(std::move(found).error());
  }
  std::optional<json::Object> lease;
  if (found) {
    Result<json::Object> document = store::decode(*found);
    if (!document) co_return std::unexpected(std::move(document).error());
    lease = std::move(*document);
  }
  see(lease ? std::optional(read_lease(*lease)) : std::nullopt);
  const Duration unchanged_for = loop_.clock().uptime() - seen_since_;
  LeaseDecision decision = decide_lease(options_, seen_, unchanged_for, loop_.clock().now());
  if (decision.step == LeaseDecision::Step::kWait) co_return false;
  LeaseRecord record = decision.record;
  Result<> written = co_await put(std::move(decision), std::move(lease));
  if (!written) {
    const ErrorCode code = written.error().code;
    // Somebody was faster: what they wrote is seen next time.
    if (code == ErrorCode::kConflict || code == ErrorCode::kAlreadyExists) co_return false;
    co_return std::unexpected(std::move(written).error());
  }
  see(record);
  renewed_ = began;
  co_return true;
}

Task<Result<>> LeaderElection::put(LeaseDecision decision, std::optional<json::Object> lease) {
  if (!lease) {
    json::Object made{
        {"apiVersion", "coordination.k8s.io/v1"},
        {"kind", "Lease"},
        {"metadata", json::Object{{"name", options_.name}, {"namespace", options_.ns}}}};
    write_lease(made, decision.record);
    auto created = co_await store_.create(kLeases, options_.ns, std::move(made), {});
    if (!created) co_return std::unexpected(std::move(created).error());
    co_return Result<>();
  }
  // With its resourceVersion: only if nobody wrote since.
  write_lease(*lease, decision.record);
  auto updated =
      co_await store_.update(kLeases, {options_.ns, options_.name}, std::move(*lease), {});
  if (!updated) co_return std::unexpected(std::move(updated).error());
  co_return Result<>();
}

Task<bool> LeaderElection::acquire(std::stop_token stop) {
  while (!stop.stop_requested()) {
    Result<bool> held = co_await attempt();
    if (held && *held) co_return true;
    if (!held) log::warning("leader", "cannot ask for the lease: {}", held.error().text());
    const double stretch = 1.0 + random_.unit() * kJitter;
    const auto wait =
        static_cast<Duration::rep>(static_cast<double>(options_.retry.count()) * stretch);
    co_await sleep_for(loop_, Duration(wait), stop);
  }
  co_return false;
}

namespace {

Task<> work(LeaderElection::Lead& lead, std::stop_token stop, bool& over, Signal& ended) {
  co_await lead(std::move(stop));
  over = true;
  ended.notify_all();
}

}  // namespace

Task<> LeaderElection::run(Lead lead, std::stop_token stop) {
  while (co_await acquire(stop)) co_await lead_one_term(lead, stop);
}

Task<> LeaderElection::lead_one_term(Lead lead, std::stop_token stop) {
  Term term(loop_);
  leading_ = true;
  spawn(loop_, work(lead, term.stop.get_token(), term.over, term.ended));
  co_await keep_term(term, stop);
  leading_ = false;
  if (term.lost) {
    log::warning("leader", "the lease was lost");
  } else {
    co_await release();
  }
}

Task<> LeaderElection::keep_term(Term& term, std::stop_token stop) {
  // By a timer of its own: a store that does not answer must not keep us leading.
  auto set_expiry = [this, &term] {
    const Duration left = renewed_ + options_.renew - loop_.clock().uptime();
    term.expiry = loop_.clock().call_after(std::max(left, Duration::zero()), [this, &term] {
      term.lost = true;
      leading_ = false;
      term.stop.request_stop();
    });
  };
  std::stop_callback asked(stop, [&term] { term.stop.request_stop(); });
  set_expiry();
  while (!term.over) {
    co_await term.ended.wait(options_.retry, {});
    if (term.over || term.lost) break;
    Result<bool> held = co_await attempt();
    if (term.over || term.lost) break;
    if (held && *held) {
      set_expiry();
    } else if (held && holder_ != options_.identity && !holder_.empty()) {
      term.lost = true;
      leading_ = false;
      term.stop.request_stop();
    }
  }
  term.expiry.reset();
  while (!term.over) co_await term.ended.wait();
}

Task<> LeaderElection::release() {
  auto found = co_await store_.get(kLeases, {options_.ns, options_.name});
  if (!found) co_return;
  Result<json::Object> document = store::decode(*found);
  if (!document) co_return;
  LeaseRecord record = read_lease(*document);
  if (record.holder != options_.identity) co_return;
  const std::string now = format_micro_time(loop_.clock().now());
  LeaseDecision decision{.step = LeaseDecision::Step::kRenew,
                         .record = {.lease_seconds = kReleasedSeconds,
                                    .acquired = now,
                                    .renewed = now,
                                    .transitions = record.transitions}};
  Result<> released = co_await put(decision, std::move(*document));
  if (!released) {
    log::warning("leader", "cannot release the lease: {}", released.error().text());
    co_return;
  }
  see(decision.record);
}

}  // namespace slipway::control
