#include "control/leader.h"

#include <gmock/gmock.h>

#include "async/sim_loop.h"
#include "control/testing/passing_store.h"
#include "store/embedded.h"

namespace slipway::control {
namespace {

using namespace std::chrono_literals;
using Step = LeaseDecision::Step;

const api::Gvr kLeases{"coordination.k8s.io", "v1", "leases"};
const Time kNow = *parse_time("2026-01-02T03:04:05Z");
const std::string kNowText = "2026-01-02T03:04:05.000000Z";

TEST(DecideLease, FollowsTheRulesOfClientGo) {
  const LeaderOptions me{.identity = "me"};
  const LeaseRecord theirs{"they", 15, "then", "then", 4};
  const LeaseRecord mine{"me", 15, "then", "then", 4};
  const LeaseRecord released{"", 1, "then", "then", 4};
  const LeaseRecord longer{"they", 60, "then", "then", 4};
  struct Row {
    std::string name;
    std::optional<LeaseRecord> seen;
    Duration unchanged_for;
    Step step;
    LeaseRecord record;
  };
  const Row rows[] = {
      {"none yet", std::nullopt, 0s, Step::kCreate, {"me", 15, kNowText, kNowText, 0}},
      {"held by another", theirs, 14s, Step::kWait, theirs},
      {"not renewed in time", theirs, 15s, Step::kTake, {"me", 15, kNowText, kNowText, 5}},
      {"the holder's duration counts", longer, 59s, Step::kWait, longer},
      {"the holder's duration is over",
       longer,
       60s,
       Step::kTake,
       {"me", 15, kNowText, kNowText, 5}},
      {"released", released, 0s, Step::kTake, {"me", 15, kNowText, kNowText, 5}},
      {"ours", mine, 1s, Step::kRenew, {"me", 15, "then", kNowText, 4}},
      {"ours, however old", mine, 1h, Step::kRenew, {"me", 15, "then", kNowText, 4}},
  };
  for (const Row& row : rows) {
    LeaseDecision decision = decide_lease(me, row.seen, row.unchanged_for, kNow);
    EXPECT_EQ(decision.step, row.step) << row.name;
    EXPECT_EQ(decision.record, row.record) << row.name;
  }
}

TEST(Lease, KeepsWhatOthersWroteInIt) {
  json::Object lease =
      json::read(R"({"spec": {"strategy": "x", "holderIdentity": "a"}})")->as_object();
  LeaseRecord record{"me", 15, kNowText, kNowText, 1};
  write_lease(lease, record);
  EXPECT_EQ(read_lease(lease), record);
  EXPECT_EQ(lease["spec"].as_object()["strategy"], json::Value("x"));
}

// A store that can be made to hang or to fail.
class FaultyStore final : public PassingStore {
 public:
  FaultyStore(Loop& loop, store::Store& below) : PassingStore(below), resumed_(loop) {}

  bool fails = false;
  void hang() { hangs_ = true; }
  void resume() {
    hangs_ = false;
    resumed_.notify_all();
  }

  Task<Result<store::Item>> get(api::Gvr kind, store::Key key) override {
    while (hangs_) co_await resumed_.wait();
    if (fails) co_return fail(ErrorCode::kUnavailable, "no connection");
    co_return co_await below_.get(std::move(kind), std::move(key));
  }

 private:
  Signal resumed_;
  bool hangs_ = false;
};

// One copy of the program.
class Copy {
 public:
  Copy(Loop& loop, store::Store& store, Random& random, std::string name, Duration ending = 0s)
      : faulty(loop, store),
        election(loop, faulty, random, {.identity = std::move(name)}),
        loop_(loop),
        ending_(ending) {
    spawn(loop, run());
  }

  FaultyStore faulty;
  LeaderElection election;
  std::stop_source stop;
  bool working = false;
  bool ended = false;
  int terms = 0;

 private:
  Task<> run() {
    co_await election.run([this](std::stop_token token) { return work(std::move(token)); },
                          stop.get_token());
    ended = true;
  }
  Task<> work(std::stop_token token) {
    working = true;
    ++terms;
    co_await sleep_for(loop_, 24h, token);
    co_await sleep_for(loop_, ending_);
    working = false;
  }

  Loop& loop_;
  Duration ending_;
};

class LeaderTest : public testing::Test {
 protected:
  ~LeaderTest() override {
    for (Copy* copy : {a_.get(), b_.get()}) {
      if (!copy) continue;
      copy->faulty.resume();
      copy->stop.request_stop();
    }
    loop_->run_for(1h);
    EXPECT_TRUE(!a_ || a_->ended);
    EXPECT_TRUE(!b_ || b_->ended);
  }
  std::unique_ptr<Copy> copy(std::string name, Duration ending = 0s) {
    return std::make_unique<Copy>(*loop_, *store_, *random_, std::move(name), ending);
  }
  LeaseRecord lease() {
    LeaseRecord record{.holder = "no lease"};
    spawn(*loop_, read_into(record));
    loop_->run_for(Duration(1));
    return record;
  }
  Task<> read_into(LeaseRecord& record) {
    auto item = co_await store_->get(kLeases, {"default", "slipway"});
    if (item) record = read_lease(json::read(*item->bytes)->as_object());
  }

  std::unique_ptr<SimLoop> loop_ = make_sim_loop();
  std::unique_ptr<Random> random_ = seeded_random(1);
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  std::unique_ptr<store::EmbeddedStore> store_ =
      store::make_memory_store(*loop_, *registry_, *random_);
  std::unique_ptr<Copy> a_, b_;
};

TEST_F(LeaderTest, OneOfTwoLeadsAndRenews) {
  a_ = copy("a");
  loop_->run_for(1s);
  b_ = copy("b");
  for (int minute = 0; minute < 10; ++minute) {
    loop_->run_for(1min);
    EXPECT_TRUE(a_->working);
    EXPECT_FALSE(b_->working);
  }
  EXPECT_EQ(a_->terms, 1);
  EXPECT_EQ(b_->election.holder(), "a");
  EXPECT_EQ(lease().transitions, 0);
}

TEST_F(LeaderTest, AReleasedLeaseIsTakenAtOnce) {
  a_ = copy("a");
  loop_->run_for(1s);
  b_ = copy("b");
  loop_->run_for(30s);
  a_->stop.request_stop();
  loop_->run_for(5s);  // two retries and their jitter
  EXPECT_TRUE(a_->ended);
  EXPECT_TRUE(b_->working);
  EXPECT_EQ(lease().holder, "b");
  EXPECT_EQ(lease().transitions, 1);
}

TEST_F(LeaderTest, TheLeaseIsKeptUntilTheWorkHasEnded) {
  a_ = copy("a", 1min);
  loop_->run_for(1s);
  b_ = copy("b");
  loop_->run_for(10s);
  a_->stop.request_stop();
  for (int i = 0; i < 55; ++i) {
    loop_->run_for(1s);
    EXPECT_FALSE(a_->working && b_->working);
  }
  EXPECT_TRUE(a_->working);
  loop_->run_for(15s);
  EXPECT_TRUE(b_->working);
}

TEST_F(LeaderTest, ALeaderWhoseStoreHangsStopsBeforeAnotherStarts) {
  a_ = copy("a");
  loop_->run_for(1s);
  b_ = copy("b");
  loop_->run_for(10s);
  a_->faulty.hang();
  for (int i = 0; i < 400; ++i) {
    loop_->run_for(100ms);
    EXPECT_FALSE(a_->working && b_->working) << i;
  }
  EXPECT_TRUE(b_->working);
  EXPECT_FALSE(a_->election.leading());
  a_->faulty.resume();
  loop_->run_for(1min);
  EXPECT_EQ(a_->terms, 1);
  EXPECT_EQ(a_->election.holder(), "b");
}

TEST_F(LeaderTest, ShortFailuresChangeNothing) {
  a_ = copy("a");
  loop_->run_for(10s);
  a_->faulty.fails = true;
  loop_->run_for(7s);
  a_->faulty.fails = false;
  loop_->run_for(1min);
  EXPECT_EQ(a_->terms, 1);
  EXPECT_TRUE(a_->working);
}

TEST_F(LeaderTest, LeadsAgainAfterALongFailure) {
  a_ = copy("a");
  loop_->run_for(10s);
  a_->faulty.fails = true;
  loop_->run_for(20s);
  EXPECT_FALSE(a_->working);
  a_->faulty.fails = false;
  loop_->run_for(10s);
  EXPECT_TRUE(a_->working);
  EXPECT_EQ(a_->terms, 2);
}

TEST_F(LeaderTest, NeverLeadsTwiceAtOnceHoweverTheyComeAndGo) {
  a_ = copy("a", 1s);
  b_ = copy("b", 1s);
  for (int i = 0; i < 3000; ++i) {
    loop_->run_for(200ms);
    ASSERT_FALSE(a_->working && b_->working) << i;
    Copy& one = random_->below(2) == 0 ? *a_ : *b_;
    const std::uint64_t chance = random_->below(60);
    if (chance == 0) one.faulty.hang();
    if (chance == 1) one.faulty.fails = true;
    if (chance >= 2 && chance < 5) one.faulty.resume();
    if (chance >= 5 && chance < 8) one.faulty.fails = false;
  }
  a_->faulty.fails = b_->faulty.fails = false;
  EXPECT_GT(a_->terms + b_->terms, 2);
}

}  // namespace
}  // namespace slipway::control
