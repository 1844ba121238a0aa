#include "control/manager.h"

#include "control/testing/lossy_store.h"
#include "control/testing/store_fixture.h"

namespace slipway::control {
namespace {

using namespace std::chrono_literals;

// Does whatever the test wants, and counts.
class Counting : public Reconciler {
 public:
  explicit Counting(std::function<Result<Outcome>(int)> work) : work_(std::move(work)) {}
  Task<Result<Outcome>> reconcile(store::Key key) override {
    seen.push_back(key.name);
    co_return work_(static_cast<int>(seen.size()));
  }
  std::vector<std::string> seen;

 private:
  std::function<Result<Outcome>(int)> work_;
};

class ManagerTest : public StoreFixture {
 protected:
  void run(Reconciler& reconciler, ControllerOptions options) {
    manager.emplace(*loop, *store, *registry);
    manager->add(std::move(options), reconciler);
    manager->start();
    loop->run_for(1ms);
  }
  ~ManagerTest() override {
    if (manager) run_to_end(*loop, manager->stop());
  }
  static ControllerOptions maps(Backoff backoff = {}) {
    return {.name = "maps", .kind = kConfigMaps, .workers = 1, .backoff = backoff};
  }
  std::optional<Manager> manager;
};

TEST_F(ManagerTest, BringsUpWhatIsThereAndWhatChanges) {
  create_map("a");
  Counting quiet([](int) { return Outcome{}; });
  run(quiet, maps());
  EXPECT_EQ(quiet.seen, (std::vector<std::string>{"a"}));
  create_map("b");
  loop->run_for(1ms);
  remove(kConfigMaps, {"default", "a"});
  loop->run_for(1ms);
  EXPECT_EQ(quiet.seen, (std::vector<std::string>{"a", "b", "a"}));
}

TEST_F(ManagerTest, BringsUpTheControllerOfWhatItOwns) {
  auto owner = create_map("owner");
  Counting quiet([](int) { return Outcome{}; });
  auto options = maps();
  options.owns = {api::Gvr{"", "v1", "secrets"}};
  run(quiet, options);
  quiet.seen.clear();
  auto reference = reference_to(owner);
  create({"", "v1", "secrets"}, "default", named("Secret", "by-another", {reference}));
  reference.controller = true;
  create({"", "v1", "secrets"}, "default", named("Secret", "ours", {reference}));
  loop->run_for(1ms);
  EXPECT_EQ(quiet.seen, (std::vector<std::string>{"owner"}));
}

TEST_F(ManagerTest, BringsUpBothWhenAnotherComesToControlWhatOneOwned) {
  const api::Gvr secrets{"", "v1", "secrets"};
  auto one = reference_to(create_map("one")), other = reference_to(create_map("other"));
  one.controller = other.controller = true;
  Counting quiet([](int) { return Outcome{}; });
  auto options = maps();
  options.owns = {secrets};
  run(quiet, options);
  auto owned = create(secrets, "default", named("Secret", "owned", {one}));
  loop->run_for(1ms);
  quiet.seen.clear();
  api::set_owners(owned, {other});
  update(secrets, owned);
  loop->run_for(1ms);
  EXPECT_EQ(quiet.seen, (std::vector<std::string>{"one", "other"}));
}

TEST_F(ManagerTest, BringsUpWhatASubscriptionNames) {
  Counting quiet([](int) { return Outcome{}; });
  auto options = maps();
  options.needs = {kNamespaces};
  BringUp bring_up;
  options.subscribe = [&](BringUp by) { bring_up = std::move(by); };
  run(quiet, options);
  bring_up({"default", "elsewhere"});
  bring_up({"default", "elsewhere"});
  loop->run_for(1ms);
  EXPECT_EQ(quiet.seen, (std::vector<std::string>{"elsewhere"}));
}

TEST_F(ManagerTest, LooksAtNothingBeforeWhatItNeedsIsKnown) {
  create_map("a");
  LossyStore slow(*loop, *store);
  slow.change_page = [&slow](store::Page&) { slow.list_takes = 1s; };  // all but the first
  Counting quiet([](int) { return Outcome{}; });
  auto options = maps();
  options.needs = {kNamespaces};
  manager.emplace(*loop, slow, *registry);
  manager->add(std::move(options), quiet);
  manager->start();
  loop->run_for(900ms);
  EXPECT_TRUE(manager->cache(kConfigMaps).synced());
  EXPECT_TRUE(quiet.seen.empty());
  loop->run_for(200ms);
  EXPECT_EQ(quiet.seen, (std::vector<std::string>{"a"}));
}

TEST_F(ManagerTest, AFailureComesAgainAfterItsBackOff) {
  create_map("a");
  Counting failing([](int times) -> Result<Outcome> {
    if (times < 4) return fail(ErrorCode::kConflict, "somebody else wrote first");
    return Outcome{};
  });
  run(failing, maps({.first = 1s, .most = 10s}));
  EXPECT_EQ(failing.seen.size(), 1u);
  loop->run_for(3100ms);  // 1 s, then 2 s
  EXPECT_EQ(failing.seen.size(), 3u);
  loop->run_for(1h);
  EXPECT_EQ(failing.seen.size(), 4u);
}

TEST_F(ManagerTest, LooksAgainWhenToldTo) {
  create_map("a");
  Counting patient([](int) { return Outcome{.again = 1min}; });
  run(patient, maps());
  loop->run_for(10min + 1s);
  EXPECT_EQ(patient.seen.size(), 11u);
}

// A reconciler that never suspends and always wants more.
TEST_F(ManagerTest, ABusyKeyLeavesOthersTheLoop) {
  create_map("a");
  int turns = 0;
  Counting busy([](int times) { return Outcome{.again = times < 100 ? Duration(0) : 1h}; });
  manager.emplace(*loop, *store, *registry);
  manager->add(maps(), busy);
  manager->start();
  auto count_turns = [](Loop& on, int& counted, Counting& until) -> Task<> {
    for (; until.seen.size() < 100; ++counted) co_await next_turn(on);
  };
  spawn(*loop, count_turns(*loop, turns, busy));
  loop->run_for(1ms);
  EXPECT_EQ(busy.seen.size(), 100u);
  EXPECT_GT(turns, 90);
}

TEST_F(ManagerTest, ACacheAskedForWhileItStopsDoesNotRun) {
  LossyStore slow(*loop, *store);
  slow.list_takes = 1s;
  manager.emplace(*loop, slow, *registry);
  // What comes last asks for what would have been stopped first.
  manager->cache(kNamespaces).on_change([this](const store::Item*, const store::Item*) {
    manager->cache(kConfigMaps);
  });
  manager->start();
  loop->run_for(500ms);
  run_to_end(*loop, manager->stop());
  manager.reset();  // asserts that nothing is left running
}

using ManagerDeathTest = ManagerTest;
TEST_F(ManagerDeathTest, LeadsOneTermOnly) {
  manager.emplace(*loop, *store, *registry);
  manager->start();
  run_to_end(*loop, manager->stop());
  EXPECT_DEATH(manager->start(), "kBuilt");
  manager.reset();
}

}  // namespace
}  // namespace slipway::control
