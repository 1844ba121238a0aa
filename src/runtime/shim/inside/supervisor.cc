#include "runtime/shim/inside/supervisor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "runtime/shim/inside/mounts.h"
#include "runtime/shim/inside/shed.h"
#include "runtime/shim/process_list.h"

namespace slipway::runtime {

namespace {

// As Kubernetes cuts them.
constexpr std::size_t kMaxTerminationMessage = 4096;
constexpr std::size_t kMaxMessageFromLog = 2048;
constexpr std::size_t kMaxMessageLines = 80;

constexpr Duration kLinger = std::chrono::seconds(1);  // for watchers to take the last state
constexpr int kCannotStart = 128;
constexpr int kMaxStepsAtOnce = 1000;

std::string last_words(const ContainerPlan& container, const std::string& log, bool failed) {
  std::string text;
  if (!container.termination_message_file.empty())
    if (auto read = file::read(container.termination_message_file, 64 * kMaxTerminationMessage))
      text = read->substr(0, kMaxTerminationMessage);
  if (text.empty() && failed && container.termination_message_from_log)
    text = log_tail(log, kMaxMessageLines, kMaxMessageFromLog);
  return utf8::repaired(text);
}

// Each run says its own.
void clear_last_words(const ContainerPlan& container) {
  if (container.termination_message_file.empty()) return;
  const Descriptor emptied(::open(container.termination_message_file.c_str(),
                                  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
}

}  // namespace

Supervisor::Supervisor(std::string folder, PodPlan plan, PodState state)
    : folder_(std::move(folder)),
      plan_(std::move(plan)),
      state_(std::move(state)),
      commands_(poller_),
      control_(poller_, [this](ControlServer::Connection connection, const Request& request) {
        asked(connection, request);
      }) {
  in_addr address{};
  if (::inet_pton(AF_INET, plan_.pod_ip.c_str(), &address) == 1) pod_ip_ = address;
  state_.shim = identify_self();
}

Supervisor::~Supervisor() = default;

Result<> Supervisor::prepare(int folder_descriptor, int signals) {
  signals_ = signals;
  poller_.when_readable(signals_, [this] { take_signals(); });
  SLIPWAY_TRY(control_.listen(folder_descriptor));
  ++state_.revision;
  SLIPWAY_TRY(write_state(folder_, state_));
  written_ = state_;
  control_.tell(write_answer(to_json(state_)));
  return {};
}

void Supervisor::run() {
  advance();
  publish();
  shed_memory();
  while (!state_.ended) turn();
  kill_all([](const std::vector<Process>& processes) {
    return descendants(processes, {::getpid()}, {});
  });
  const Duration latest = clock_uptime() + kLinger;
  while (control_.has_unsent() && clock_uptime() < latest) poller_.turn(latest - clock_uptime());
}

void Supervisor::turn() {
  poller_.turn(time_to_wait());
  reap();
  check_deadlines();
  advance();
  for (const auto& process : processes_) note_binds(*process);
  publish();
}

void Supervisor::note_binds(ContainerProcess& process) {
  if (auto problem = process.take_bind_problem(); !problem.empty())
    state_.bind_problem = std::move(problem);
  // It stays said while the program is started again and again.
  const BindGuard::Last& last = process.last_bind();
  const std::string whose = fmt::format("container {}: ", state_of(state_, process.which()).name);
  if (!last.in_use.empty())
    state_.port_problem = whose + last.in_use;
  else if (last.done && state_.port_problem.starts_with(whose))
    state_.port_problem.clear();
}

void Supervisor::take_signals() {
  signalfd_siginfo info{};
  while (::read(signals_, &info, sizeof info) == sizeof info)
    if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT)
      stop_pod(std::chrono::seconds(plan_.grace_seconds));
}

void Supervisor::reap() {
  while (true) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid <= 0) return;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (commands_.ended(pid, code)) continue;
    const auto process =
        std::ranges::find(processes_, pid, [](const auto& candidate) { return candidate->pid(); });
    if (process != processes_.end()) ended(process, status);
  }
}

void Supervisor::ended(Processes::iterator process, int status) {
  const std::unique_ptr<ContainerProcess> gone = std::move(*process);
  processes_.erase(process);
  ContainerState& state = state_of(state_, gone->which());
  kill_container_processes(gone->pid(), state.name, first_processes_but(gone->pid()));
  gone->finish();
  note_binds(*gone);
  state.now = describe_end(*gone, status);
}

Terminated Supervisor::describe_end(const ContainerProcess& process, int status) const {
  const ContainerState& state = state_of(state_, process.which());
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const int code = signal ? 128 + signal : WEXITSTATUS(status);
  std::string message = last_words(plan_of(plan_, process.which()), state.log, code != 0);
  if (message.empty() && process.stop) message = process.stop->message;
  if (message.empty() && code != 0) message = process.last_bind().in_use;
  return {.exit_code = code,
          .signal = signal,
          .reason = code == 0 ? "Completed" : "Error",
          .message = std::move(message),
          .started_at = state.running() ? state.running()->started_at : Time{},
          .finished_at = clock_now()};
}

void Supervisor::advance() {
  if (state_.stopping) advance_stop();
  for (int steps = 0; steps < kMaxStepsAtOnce; ++steps) {
    const Step step = decide_next(plan_, state_, clock_now());
    again_ = step.again;
    state_.ended = step.ended;
    if (!apply(step)) return;
  }
}

bool Supervisor::apply(const Step& step) {
  for (const Which which : step.start) start(which);
  for (const auto& [which, waiting] : step.wait) {
    ContainerState& state = state_of(state_, which);
    if (const auto* ended = state.terminated()) state.last_terminated = *ended;
    state.now = waiting;
  }
  // One after the other: the next when this one has ended.
  if (!step.stop.empty())
    if (auto* process = find(state_of(state_, step.stop.front()).name))
      begin_stop(*process, clock_uptime() + std::chrono::seconds(plan_.grace_seconds), "");
  return !step.start.empty();
}

void Supervisor::start(Which which) {
  const ContainerPlan& container = plan_of(plan_, which);
  ContainerState& state = state_of(state_, which);
  const Time now = clock_now();
  if (state.terminated() || state.last_terminated) {
    if (state.replaced)
      state.backoff.reset();  // another program: how often this one failed says nothing
    else
      state.backoff = decide_backoff(plan_.tuning, state, now);
    if (const auto* ended = state.terminated()) state.last_terminated = *ended;
    ++state.restart_count;
  }
  state.started = false;
  state.replaced = false;
  state.image = container.image;
  auto log = open_log(state);
  clear_last_words(container);
  auto launched = [&]() -> Result<Launched> {
    if (!log) return std::unexpected(log.error());
    auto prepared = prepare_launch(container);
    if (!prepared) return std::unexpected(prepared.error());
    prepared->trap_binds = pod_ip_.has_value();
    return launch(*prepared);
  }();
  if (!launched) {
    state.now = Terminated{.exit_code = kCannotStart,
                           .reason = "StartError",
                           .message = launched.error().message,
                           .finished_at = clock_now()};
    return;
  }
  if (!launched->bind_problem.empty()) state_.bind_problem = launched->bind_problem;
  if (!launched->mount_problem.empty()) state_.mount_problem = launched->mount_problem;
  const auto process = read_process(launched->pid);
  state.now = Running{
      .started_at = now, .pid = launched->pid, .start_ticks = process ? process->start_ticks : 0};
  processes_.push_back(std::make_unique<ContainerProcess>(
      poller_, which, std::move(*launched), std::move(*log), pod_ip_.value_or(in_addr{})));
}

Result<LogFile> Supervisor::open_log(ContainerState& state) {
  const std::string logs = fmt::format("{}/logs/{}", folder_, state.name);
  SLIPWAY_TRY(file::make_folder(logs, 0700));
  // Two runs are kept, as `kubectl logs --previous` can show.
  if (!state.previous_log.empty()) remove_log(state.previous_log, plan_.tuning.log_files);
  state.previous_log = state.log;
  state.log = fmt::format("{}/{}.log", logs, state.restart_count);
  return LogFile::open(state.log, plan_.tuning.log_bytes, plan_.tuning.log_files);
}

Result<Launch> Supervisor::prepare_launch(const ContainerPlan& container) const {
  Launch launch{.argv = container.argv,
                .env = environment_of(plan_, container, folder_),
                .working_dir = container.working_dir,
                .mounts = container.mounts};
  if (launch.working_dir.empty()) {
    launch.working_dir = folder_ + "/work";
    SLIPWAY_TRY(file::make_folder(launch.working_dir, 0700));
  }
  if (!launch.mounts.empty()) {
    launch.scratch = folder_ + "/scratch";
    SLIPWAY_TRY(file::make_folder(launch.scratch, 0700));
    SLIPWAY_TRY(make_sources(launch.mounts));
  }
  return launch;
}

Result<Launch> Supervisor::prepare_command(const ContainerProcess& process,
                                           std::vector<std::string> argv) const {
  auto prepared = prepare_launch(plan_of(plan_, process.which()));
  if (!prepared) return prepared;
  prepared->argv = std::move(argv);
  prepared->beside = {.process = process.pid(), .view = process.view()};
  return prepared;
}

void Supervisor::publish() {
  if (state_ == written_) return;
  ++state_.revision;
  if (const auto written = write_state(folder_, state_); !written)
    log::error("pod-shim", "{}", written.error().text());
  written_ = state_;
  control_.tell(write_answer(to_json(state_)));
}

Duration Supervisor::time_to_wait() {
  constexpr Duration kLongest = std::chrono::hours(1);
  Duration wait = kLongest;
  const Duration now = clock_uptime();
  if (again_) wait = std::min(wait, *again_ - clock_now());
  if (const auto next = commands_.check_time()) wait = std::min(wait, *next - now);
  for (const auto& process : processes_)
    if (process->stop && process->stop->stage != ContainerProcess::Stop::Stage::kKill)
      wait = std::min(wait, process->stop->deadline - now);
  return std::max(wait, Duration::zero());
}

}  // namespace slipway::runtime
