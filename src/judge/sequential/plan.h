#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "judge/answer.h"

// What a sequential test is asked to do, fixed before its first look.
namespace slipway::judge {

enum class Engine { kSignedRank, kStratifiedRank, kCounts, kDistribution };
// signed-rank, stratified-rank, counts, distribution.
std::string_view to_string(Engine engine);
Result<Engine> parse_engine(std::string_view word);
bool is_sequential(std::string_view method);

// How the chance of a false alarm is held over all looks.
enum class Monitoring {
  kGroupSequential,  // gst: the looks are planned, each spends its share
  kAnytime,          // any number of looks, at any time
  kNone,             // each look at the full rate: no guarantee over several
};
std::string_view to_string(Monitoring monitoring);
Result<Monitoring> parse_monitoring(std::string_view word);

enum class Spending { kPocock, kObrienFleming, kLinear, kHwangShihDeCani };
std::string_view to_string(Spending spending);  // pocock, obf, linear, hsd
Result<Spending> parse_spending(std::string_view word);

inline constexpr int kMaxLooks = 2000;
inline constexpr int kDefaultLooks = 6;  // what mixtures are tuned for, and a plan without a number
inline constexpr double kDefaultGamma = -4;  // of hsd: late, as O'Brien–Fleming; 1 is near Pocock
inline constexpr double kMaxGamma = 40;
inline constexpr double kMinEffectivePoints = 5;  // fewer points / tau are too little to judge

struct Plan {
  Engine engine = Engine::kStratifiedRank;
  Direction direction = Direction::kEither;
  double alpha = 0.05;  // the chance of failing, ever, when nothing differs
  double margin = 0;    // relative difference that does not matter
  Monitoring monitoring = Monitoring::kGroupSequential;
  Spending spending = Spending::kPocock;
  double gamma = kDefaultGamma;  // hsd alone: below 0 spends late, above 0 early
  int planned_looks = 0;         // 0: as many as a case holds, kDefaultLooks when stepping
  // Variance inflation: autocorrelation of points (judge/sequential/tau.h), overdispersion of
  // counts. At least 1.
  double tau = 1;
  // Also looks for differences that begin late. Under kGroupSequential a quarter of alpha goes to
  // that, under kAnytime half of the bet.
  bool late_onset = false;
  // Whether answers carry p and effect; simulations need only verdicts.
  bool describe = true;
};

// kInvalid with the field as `where`.
Result<> check(const Plan& plan);

// One text per plan: two plans with the same text judge alike.
std::string fingerprint(const Plan& plan);

// New data of one side at one look. An engine reads what it needs: ranks read points, counts read
// `events` and `exposure`, distribution reads points or buckets.
struct Bucket {
  double upper = 0;  // values up to this one and above the bucket before
  double count = 0;  // of this look, of this bucket alone
};
struct Side {
  std::vector<double> points = {};  // NaN: missing. For signed-rank aligned by position
  double events = 0;
  double exposure = 0;  // requests, seconds: what the events are counted against
  std::vector<Bucket> buckets = {};
};
struct Evidence {
  Side control = {};
  Side experiment = {};
};

}  // namespace slipway::judge
