#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "async/real_loop.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "runtime/shim/inside/run.h"
#include "runtime/shim/process_list.h"
#include "runtime/shim/shim_testing.h"

namespace slipway::runtime {

namespace {

// `runtime_test doomed-server FOLDER` starts the shim of a folder and is gone.
void start_and_be_killed(const std::string& folder) {
  const auto loop = make_loop();
  const auto pool = make_thread_pool(1);
  ShimClient client(*loop, *pool, folder, test_shim());
  const auto started = run_to_end(*loop, client.start());
  ::kill(started ? 0 : ::getpid(), SIGKILL);  // 0: its whole process group
}

// `runtime_test pod-shim FOLDER` is a shim and no test.
class BecomeShim : public testing::Environment {
 public:
  void SetUp() override {
    auto line = file::read("/proc/self/cmdline");
    if (!line) return;
    const auto words = text::split(*line, '\0');
    if (words.size() >= 3 && words[1] == "pod-shim") ::_exit(run_pod_shim(words[2]));
    if (words.size() >= 3 && words[1] == "doomed-server") start_and_be_killed(words[2]);
  }
};
const auto* const registered = testing::AddGlobalTestEnvironment(new BecomeShim);

}  // namespace

ShimProgram test_shim() { return {.argv = {"/proc/self/exe", "pod-shim"}}; }

ContainerPlan shell(std::string name, std::string script) {
  return program(std::move(name), {"/bin/sh", "-c", std::move(script)});
}

ContainerPlan program(std::string name, std::vector<std::string> argv) {
  return {.name = std::move(name), .argv = std::move(argv)};
}

TestPod::TestPod(std::vector<ContainerPlan> containers)
    : loop_(make_loop()), pool_(make_thread_pool(2)) {
  plan.uid = system_random()->uuid();
  plan.ns = "default";
  plan.name = "web";
  plan.containers = std::move(containers);
  plan.tuning.backoff_first = std::chrono::milliseconds(200);
  plan.tuning.backoff_most = std::chrono::milliseconds(800);
  folder_ = pods_folder() + "/" + plan.uid;
  connect();
}

TestPod::~TestPod() {
  if (alive_ && stop(Duration::zero())) until_gone();
  run_to_end(*loop_, client_->close());
  client_.reset();
  EXPECT_EQ(marked_processes(), std::vector<pid_t>{}) << "processes are left";
}

void TestPod::connect() {
  client_ = std::make_unique<ShimClient>(*loop_, *pool_, folder_, program_);
}

namespace {

bool may_be_run_by_others(const std::filesystem::path& program) {
  for (auto path = program; path != path.parent_path(); path = path.parent_path()) {
    const auto status = file::status(path.string());
    if (!status || (status->mode & 1) == 0) return false;
  }
  return true;
}

}  // namespace

void TestPod::drop_rights() {
  if (::geteuid() != 0) return;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  if (!may_be_run_by_others(self)) {
    const std::filesystem::path copy = scratch_.path() + "/program";
    std::filesystem::copy_file(self, copy);
    self = copy;
  }
  program_.argv = {"/usr/bin/setpriv", "--reuid=65534", "--regid=65534",
                   "--clear-groups",   self.string(),   "pod-shim"};
  dropped_ = true;
  connect();
}

std::string TestPod::pods_folder() const { return scratch_.path() + "/pods"; }

Result<> TestPod::try_start() {
  SLIPWAY_TRY(write_plan(folder_, plan));
  if (dropped_)
    for (const auto& path : {scratch_.path(), pods_folder(), folder_, folder_ + "/plan.json"})
      EXPECT_EQ(::chown(path.c_str(), 65534, 65534), 0);
  SLIPWAY_TRY(run_to_end(*loop_, client_->start()));
  alive_ = true;
  told_gone_ = false;
  client_->watch([this](const PodState& state, bool alive) {
    state_ = state;
    history_.push_back(state);
    alive_ = alive;
    told_gone_ = told_gone_ || !alive;
  });
  return {};
}

void TestPod::start() {
  const auto started = try_start();
  ASSERT_TRUE(started) << started.error().text();
  ASSERT_TRUE(until([](const PodState& state) { return state.revision > 0; }));
}

void TestPod::start_by_a_server_that_is_killed() {
  ASSERT_TRUE(write_plan(folder_, plan));
  std::error_code wrong;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", wrong);
  const std::string command =
      "setsid --wait " + self.string() + " doomed-server " + folder_ + " > /dev/null";
  EXPECT_NE(std::system(command.c_str()), 0);
  become_another_server();
}

namespace {

Task<bool> poll_until(Loop& loop, std::function<bool()> holds, Duration most) {
  const Duration latest = loop.clock().uptime() + most;
  while (!holds()) {
    if (loop.clock().uptime() > latest) co_return false;
    co_await sleep_for(loop, std::chrono::milliseconds(2));
  }
  co_return true;
}

}  // namespace

bool TestPod::until_true(const std::function<bool()>& holds, Duration most) {
  return run_to_end(*loop_, poll_until(*loop_, holds, most));
}

bool TestPod::until(const std::function<bool(const PodState&)>& holds, Duration most) {
  return until_true([&] { return holds(state_); }, most);
}

bool TestPod::until_gone(Duration most) {
  return until_true([&] { return told_gone_; }, most);
}

Result<> TestPod::stop(Duration grace) { return run_to_end(*loop_, client_->stop(grace)); }

Result<> TestPod::kill_container(const std::string& name, Duration grace,
                                 const std::string& message) {
  return run_to_end(*loop_, client_->kill_container(name, grace, message));
}

Result<ExecAnswer> TestPod::exec(const std::string& name, std::vector<std::string> argv,
                                 Duration timeout) {
  return run_to_end(*loop_, client_->exec(name, std::move(argv), timeout));
}

void TestPod::lose_sight() {
  run_to_end(*loop_, client_->close());
  state_ = {};
  alive_ = false;
}

void TestPod::become_another_server() {
  lose_sight();
  client_.reset();
  alive_ = true;
  const auto found = find_shims(pods_folder());
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_TRUE(found->front().alive);
  ASSERT_TRUE(found->front().plan);
  plan = *found->front().plan;
  connect();
  client_->watch([this](const PodState& state, bool alive) {
    state_ = state;
    alive_ = alive;
    told_gone_ = told_gone_ || !alive;
  });
}

std::string TestPod::log(std::size_t index) const { return log_text(container(index).log); }

std::vector<pid_t> TestPod::marked_processes() const {
  std::vector<pid_t> found;
  for (const auto& process : list_processes())
    if (!process.ended && variable_of(process.pid, kMarkFolder) == folder_)
      found.push_back(process.pid);
  return found;
}

std::string log_text(const std::string& path) {
  std::string text;
  const auto read = file::read(path);
  if (!read) return text;
  for (const auto& line : text::split(*read, '\n')) {
    const auto words = text::split(line, ' ');
    if (words.size() < 4) continue;
    text += line.substr(words[0].size() + words[1].size() + words[2].size() + 3);
    if (words[2] == "F") text += '\n';
  }
  return text;
}

}  // namespace slipway::runtime
