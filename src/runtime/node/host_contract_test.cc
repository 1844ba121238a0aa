#include <gtest/gtest.h>

#include "async/real_loop.h"
#include "async/sim_loop.h"
#include "runtime/node/fake_host.h"
#include "runtime/node/shim_host.h"
#include "runtime/shim/shim_testing.h"

// What every PodHost does, the fake as the real one.
namespace slipway::runtime {
namespace {

using namespace std::chrono_literals;

// A machine, and the program that looks after its Pods, which may be started again.
class World {
 public:
  virtual ~World() = default;
  virtual Loop& loop() = 0;
  virtual std::unique_ptr<PodHost> make_host() = 0;
};

int number_after(const std::string& text, const std::string& word) {
  const auto at = text.find(word);
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + word.size());
}

// Understands the few scripts of this suite.
class FakeWorld final : public World {
 public:
  FakeWorld() {
    machine_.script = [](const auto&, const ContainerPlan& container, int) {
      const std::string& script = container.argv.back();
      FakeRun run;
      if (script.starts_with("exit")) run.ends_after = 10ms;
      run.exit_code = number_after(script, "exit ");
      return run;
    };
    machine_.on_exec = [](const auto&, const auto&, const std::vector<std::string>& argv) {
      return ExecAnswer{.exit_code = number_after(argv.back(), "exit "), .output = "said\n"};
    };
  }
  Loop& loop() override { return *loop_; }
  std::unique_ptr<PodHost> make_host() override { return std::make_unique<FakePodHost>(machine_); }

 private:
  std::unique_ptr<SimLoop> loop_ = make_sim_loop();
  FakeMachine machine_{*loop_};
};

class ShimWorld final : public World {
 public:
  Loop& loop() override { return *loop_; }
  std::unique_ptr<PodHost> make_host() override {
    return std::make_unique<ShimHost>(*loop_, *pool_, scratch_.path() + "/pods", test_shim());
  }

 private:
  ScratchFolder scratch_;
  std::unique_ptr<Loop> loop_ = make_loop();
  std::unique_ptr<Pool> pool_ = make_thread_pool(2);
};

template <class W>
struct HostContract : testing::Test {
  HostContract() { open(); }
  ~HostContract() override {
    for (const std::string& uid : host->uids()) {
      run(host->stop(uid, 0s));
      EXPECT_TRUE(until([&] { return !host->find(uid)->alive; }));
      run(host->forget(uid));
    }
    run(host->close());
  }

  void open() {
    host = world.make_host();
    EXPECT_TRUE(run(host->open([this](const std::string&) { ++changes; })));
  }
  // As a program does that ends and is started again.
  void reopen() {
    run(host->close());
    host.reset();
    open();
  }
  template <class T>
  T run(Task<T> task) {
    return run_to_end(world.loop(), std::move(task));
  }
  Task<bool> poll(std::function<bool()> holds) {
    for (int i = 0; i < 1000; ++i) {
      if (holds()) co_return true;
      co_await sleep_for(world.loop(), 20ms);
    }
    co_return false;
  }
  bool until(std::function<bool()> holds) { return run(poll(std::move(holds))); }

  PodOrder order(const std::string& uid, const std::string& script,
                 RestartPolicy policy = RestartPolicy::kAlways) const {
    PodOrder made{.plan = {.uid = uid, .ns = "n", .name = "p-" + uid, .restart_policy = policy},
                  .volumes = {{.name = "v", .files = {{.path = "a/b", .bytes = "text"}}}}};
    ContainerPlan main = shell("main", script);
    main.working_dir = "/";
    main.env = {{"PATH", "/usr/bin:/bin"}};
    made.plan.containers.push_back(std::move(main));
    made.plan.tuning.backoff_first = 50ms;
    return made;
  }
  const ContainerState& main(const std::string& uid) const {
    return host->find(uid)->state->containers.front();
  }
  bool runs(const std::string& uid) const {
    const HostedPod* pod = host->find(uid);
    return pod && pod->alive && pod->state && main(uid).running();
  }

  W world;
  std::unique_ptr<PodHost> host;
  int changes = 0;
};

using Worlds = testing::Types<FakeWorld, ShimWorld>;
TYPED_TEST_SUITE(HostContract, Worlds);

TYPED_TEST(HostContract, APodRunsUntilItIsStopped) {
  EXPECT_EQ(this->host->find("a"), nullptr);
  ASSERT_TRUE(this->run(this->host->start(this->order("a", "exec sleep 1000"))));
  ASSERT_TRUE(this->until([&] { return this->runs("a"); }));
  EXPECT_GT(this->changes, 0);
  EXPECT_EQ(this->host->uids(), std::vector<std::string>{"a"});
  ASSERT_TRUE(this->run(this->host->stop("a", 5s)));
  ASSERT_TRUE(this->until([&] { return this->host->find("a")->state->ended; }));
  EXPECT_TRUE(this->until([&] { return !this->host->find("a")->alive; }));
  EXPECT_TRUE(this->main("a").terminated());
  EXPECT_TRUE(this->run(this->host->stop("a", 5s)));
}

TYPED_TEST(HostContract, StartingTwiceIsStartingOnce) {
  ASSERT_TRUE(this->run(this->host->start(this->order("a", "exec sleep 1000"))));
  ASSERT_TRUE(this->until([&] { return this->runs("a"); }));
  const pid_t pid = this->main("a").running()->pid;
  ASSERT_TRUE(this->run(this->host->start(this->order("a", "exec sleep 1000"))));
  EXPECT_EQ(this->main("a").running()->pid, pid);
}

TYPED_TEST(HostContract, TheExitCodeIsKept) {
  ASSERT_TRUE(this->run(this->host->start(this->order("a", "exit 3", RestartPolicy::kNever))));
  ASSERT_TRUE(this->until(
      [&] { return this->host->find("a")->state && this->host->find("a")->state->ended; }));
  EXPECT_EQ(this->main("a").terminated()->exit_code, 3);
  EXPECT_EQ(this->main("a").terminated()->reason, "Error");
}

TYPED_TEST(HostContract, AKilledContainerIsStartedAgain) {
  ASSERT_TRUE(this->run(this->host->start(this->order("a", "exec sleep 1000"))));
  ASSERT_TRUE(this->until([&] { return this->runs("a"); }));
  ASSERT_TRUE(this->run(this->host->kill_container("a", "main", 1s, "unwell")));
  ASSERT_TRUE(this->until([&] { return this->runs("a") && this->main("a").restart_count == 1; }));
  EXPECT_EQ(this->main("a").last_terminated->message, "unwell");
  EXPECT_EQ(this->run(this->host->kill_container("a", "none", 1s, "")).error().code,
            ErrorCode::kNotFound);
}

TYPED_TEST(HostContract, AnotherImageIsRunWhateverThePolicy) {
  const PodOrder order = this->order("a", "exec sleep 1000", RestartPolicy::kNever);
  ASSERT_TRUE(this->run(this->host->start(order)));
  ASSERT_TRUE(this->until([&] { return this->runs("a"); }));
  ContainerPlan other = order.plan.containers.front();
  other.image = "other";
  ASSERT_TRUE(this->run(this->host->replace("a", other, 5s, "changed")));
  ASSERT_TRUE(this->until([&] { return this->runs("a") && this->main("a").restart_count == 1; }));
  EXPECT_EQ(this->main("a").image, "other");
  EXPECT_EQ(this->main("a").last_terminated->message, "changed");
  EXPECT_FALSE(this->main("a").replaced);
  const pid_t pid = this->main("a").running()->pid;
  ASSERT_TRUE(this->run(this->host->replace("a", other, 5s, "changed")));
  this->reopen();
  EXPECT_EQ(this->main("a").running()->pid, pid) << "it is the same";
  EXPECT_EQ(this->host->find("a")->plan.containers.front().image, "other");
  other.name = "none";
  EXPECT_EQ(this->run(this->host->replace("a", other, 5s, "")).error().code, ErrorCode::kNotFound);
}

TYPED_TEST(HostContract, AnotherImageDoesNotWaitForTheBackoff) {
  PodOrder order = this->order("a", "exit 3");
  order.plan.tuning.backoff_first = 1h;
  ASSERT_TRUE(this->run(this->host->start(order)));
  ASSERT_TRUE(this->until([&] {
    return this->host->find("a")->state && this->main("a").waiting() &&
           this->main("a").last_terminated;
  }));
  ContainerPlan other = order.plan.containers.front();
  other.image = "other";
  other.argv.back() = "exec sleep 1000";
  ASSERT_TRUE(this->run(this->host->replace("a", other, 5s, "changed")));
  ASSERT_TRUE(this->until([&] { return this->runs("a"); }));
  EXPECT_EQ(this->main("a").image, "other");
  EXPECT_FALSE(this->main("a").replaced);
  EXPECT_FALSE(this->main("a").backoff);
}

TYPED_TEST(HostContract, WhatFollowsASidecarBeginsWhenItHasStarted) {
  PodOrder order = this->order("a", "exec sleep 1000");
  ContainerPlan side = order.plan.containers.front();
  side.name = "side";
  side.restart = RestartPolicy::kAlways;
  side.startup_probe = true;
  order.plan.init_containers.push_back(std::move(side));
  ASSERT_TRUE(this->run(this->host->start(std::move(order))));
  const auto sidecar = [&] { return this->host->find("a")->state->init_containers.front(); };
  ASSERT_TRUE(this->until([&] { return this->host->find("a")->state && sidecar().running(); }));
  EXPECT_EQ(this->run(this->host->mark_started("a", "side", 1)).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(this->run(this->host->mark_started("a", "none", 0)).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(this->main("a").waiting());
  ASSERT_TRUE(this->run(this->host->mark_started("a", "side", 0)));
  EXPECT_TRUE(this->until([&] { return this->runs("a") && sidecar().started; }));
}

TYPED_TEST(HostContract, CommandsRunBesideTheContainer) {
  ASSERT_TRUE(this->run(this->host->start(this->order("a", "exec sleep 1000"))));
  ASSERT_TRUE(this->until([&] { return this->runs("a"); }));
  const auto answer =
      this->run(this->host->exec("a", "main", {"/bin/sh", "-c", "echo said; exit 4"}, 5s));
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->exit_code, 4);
  EXPECT_EQ(answer->output, "said\n");
  EXPECT_EQ(this->run(this->host->exec("a", "none", {"true"}, 5s)).error().code,
            ErrorCode::kNotFound);
  EXPECT_EQ(this->run(this->host->exec("b", "main", {"true"}, 5s)).error().code,
            ErrorCode::kNotFound);
}

TYPED_TEST(HostContract, ALaterHostFindsWhatRuns) {
  ASSERT_TRUE(this->run(this->host->start(this->order("a", "exec sleep 1000"))));
  ASSERT_TRUE(this->until([&] { return this->runs("a"); }));
  const pid_t pid = this->main("a").running()->pid;
  this->reopen();
  ASSERT_TRUE(this->runs("a"));
  EXPECT_EQ(this->main("a").running()->pid, pid);
  EXPECT_EQ(this->host->find("a")->plan.name, "p-a");
  const int before = this->changes;
  ASSERT_TRUE(this->run(this->host->stop("a", 5s)));
  ASSERT_TRUE(this->until([&] { return this->host->find("a")->state->ended; }));
  EXPECT_GT(this->changes, before);
}

TYPED_TEST(HostContract, WhatIsForgottenIsGone) {
  ASSERT_TRUE(this->run(this->host->start(this->order("a", "exit 0", RestartPolicy::kNever))));
  ASSERT_TRUE(this->until(
      [&] { return this->host->find("a")->state && this->host->find("a")->state->ended; }));
  ASSERT_TRUE(this->run(this->host->forget("a")));
  EXPECT_EQ(this->host->find("a"), nullptr);
  EXPECT_TRUE(this->run(this->host->forget("a")));
  this->reopen();
  EXPECT_TRUE(this->host->uids().empty());
}

}  // namespace
}  // namespace slipway::runtime
