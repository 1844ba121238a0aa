#pragma once

#include <functional>
#include <optional>
#include <string>

#include "async/signal.h"
#include "base/random.h"
#include "store/store.h"

namespace slipway::control {

// What a Lease (coordination.k8s.io/v1) says.
struct LeaseRecord {
  std::string holder = {};  // empty: released
  std::int64_t lease_seconds = 0;
  std::string acquired = {};  // MicroTime, as written
  std::string renewed = {};
  std::int64_t transitions = 0;
  bool operator==(const LeaseRecord&) const = default;
};
LeaseRecord read_lease(const json::Object& lease);
void write_lease(json::Object& lease, const LeaseRecord& record);

struct LeaderOptions {
  std::string ns = "default";
  std::string name = "slipway";               // of the Lease
  std::string identity;                       // different in each copy
  Duration lease = std::chrono::seconds(15);  // others wait this long after our last sign of life
  Duration renew = std::chrono::seconds(10);  // we give up this long after our last renewal
  Duration retry = std::chrono::seconds(2);
};
// The host's name and something random: different in each copy.
std::string leader_identity(Random& random);

// What to do about the lease: leave it to its holder, or write `record`.
struct LeaseDecision {
  enum class Step { kWait, kCreate, kTake, kRenew };
  Step step = Step::kWait;
  LeaseRecord record = {};
};
// `seen` is the lease as it is, none when there is none, and has been so for `unchanged_for` of our
// own clock: clocks of different machines are never compared.
LeaseDecision decide_lease(const LeaderOptions& options, const std::optional<LeaseRecord>& seen,
                           Duration unchanged_for, Time now);

// Lets one of several copies of the program do the work, through a Lease in the store, as other
// Kubernetes controllers do it.
class LeaderElection {
 public:
  // Works while the token holds, and ends soon after it does not.
  using Lead = std::function<Task<>(std::stop_token)>;

  LeaderElection(Loop& loop, store::Store& store, Random& random, LeaderOptions options);

  // Waits for the lease, leads, and waits again when it was lost, until `stop`. `lead` is told to
  // end `renew` after the last renewal, which leaves it `lease - renew` before another copy may
  // lead. After `stop` the lease is kept until `lead` has ended, and then released.
  Task<> run(Lead lead, std::stop_token stop);

  bool leading() const { return leading_; }
  // Who holds the lease, as far as we have seen.
  const std::string& holder() const { return holder_; }
  // Whether the store answered when we last asked about the lease; the error when it did not.
  const Result<>& contact() const { return contact_; }

 private:
  struct Term;
  // Tries once to take or renew the lease; true when we hold it. Notes `contact_`.
  Task<Result<bool>> attempt();
  Task<Result<bool>> try_lease();
  Task<Result<>> put(LeaseDecision decision, std::optional<json::Object> lease);
  Task<bool> acquire(std::stop_token stop);
  Task<> lead_one_term(Lead lead, std::stop_token stop);
  Task<> keep_term(Term& term, std::stop_token stop);
  Task<> release();
  void see(const std::optional<LeaseRecord>& record);

  Loop& loop_;
  store::Store& store_;
  Random& random_;
  LeaderOptions options_;
  std::optional<LeaseRecord> seen_;
  Duration seen_since_ = {};  // uptime
  Duration renewed_ = {};     // uptime when the last attempt that got the lease began
  std::string holder_;
  Result<> contact_ = fail(ErrorCode::kUnavailable, "the lease was not asked for yet");
  bool leading_ = false;
};

}  // namespace slipway::control
