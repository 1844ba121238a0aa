#include "runtime/traffic/proxy.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/process/find_program.h"

namespace slipway::runtime::traffic {

namespace {

std::string id_of(const ProcessIdentity& process) {
  return fmt::format("{}/{}", process.pid, process.start_ticks);
}

struct Loaded {
  std::vector<Finding> findings = {};
  std::optional<ProcessIdentity> process = {};
  std::optional<AdminLine> line = {};  // to the new one, if it took the call at once
};

Result<Loaded> load_blocking(const std::string& folder, const Rendered& rendered) {
  const std::string program = find_program("haproxy");
  if (program.empty())
    return fail(ErrorCode::kUnavailable,
                "haproxy is not installed: Services and routes have no traffic");
  auto findings = check_config(program, folder, rendered);
  if (!findings) return std::unexpected(std::move(findings).error());
  if (!findings->empty()) return Loaded{.findings = std::move(*findings)};
  auto process = start_process(program, folder);
  if (!process) return std::unexpected(std::move(process).error());
  Loaded loaded{.process = *process};
  if (auto line = AdminLine::open_to(folder, process->pid)) loaded.line.emplace(std::move(*line));
  return loaded;
}

using Servers = std::set<std::pair<std::string, std::string>>;

Result<Servers> change_blocking(const std::string& folder, pid_t process,
                                const std::vector<Command>& commands) {
  auto line = AdminLine::open_to(folder, process);
  if (!line) return std::unexpected(std::move(line).error());
  Servers forgotten;
  for (const Command& command : commands) {
    auto answer = line->ask(command.text);
    if (!answer) return std::unexpected(std::move(answer).error());
    const bool good =
        command.answer.empty() ? answer->empty() : answer->starts_with(command.answer);
    if (!command.forgets.first.empty()) {
      if (good) forgotten.insert(command.forgets);
    } else if (!good) {
      return fail(ErrorCode::kInternal,
                  fmt::format("the proxy answers \"{}\" with \"{}\"", command.text, *answer));
    }
  }
  return forgotten;
}

}  // namespace

struct Proxy::Counted {
  Reading reading = {};
  std::uint64_t clients = 0;
};

Proxy::Proxy(Loop& loop, Pool& pool, std::string folder, std::function<void()> died)
    : loop_(loop), pool_(pool), folder_(std::move(folder)), died_(std::move(died)) {}

Task<bool> Proxy::adopt() {
  using Found = std::pair<std::optional<ProcessIdentity>, std::optional<AdminLine>>;
  auto found = co_await blocking(loop_, pool_, [folder = folder_]() -> Found {
    auto process = find_process(folder);
    if (!process) return {};
    auto line = AdminLine::open_to(folder, process->pid);
    if (!line) return {};
    return {std::move(process), std::move(*line)};
  });
  if (!found.first) co_return false;
  current_ = std::make_shared<Source>(
      Source{.process = *found.first, .fresh = false, .line = std::move(found.second)});
  watch(*found.first);
  co_return true;
}

Task<Result<std::vector<Finding>>> Proxy::load(Rendered rendered) {
  auto loaded = co_await blocking(loop_, pool_, [folder = folder_, rendered = std::move(rendered)] {
    return load_blocking(folder, rendered);
  });
  if (!loaded) co_return std::unexpected(std::move(loaded).error());
  if (!loaded->process) co_return std::move(loaded->findings);
  drain(std::exchange(current_, nullptr));
  current_ = std::make_shared<Source>(
      Source{.process = *loaded->process, .line = std::move(loaded->line)});
  watch(*loaded->process);
  co_return std::vector<Finding>{};
}

Task<Result<Servers>> Proxy::change(std::vector<Command> commands) {
  if (!process_) co_return fail(ErrorCode::kUnavailable, "there is no proxy");
  co_return co_await blocking(
      loop_, pool_, [folder = folder_, pid = process_->pid, commands = std::move(commands)] {
        return change_blocking(folder, pid, commands);
      });
}

// A line that did not answer in time may answer the next question with what it owes: it is given
// up.
Result<Proxy::Counted> Proxy::count(Source& source, const std::string& folder) {
  if (!source.line) {
    auto line = AdminLine::open_to(folder, source.process.pid);
    if (!line) return std::unexpected(std::move(line).error());
    source.line.emplace(std::move(*line));
  }
  auto counted = count_by(*source.line, source);
  if (!counted) source.line.reset();
  return counted;
}

Result<Proxy::Counted> Proxy::count_by(AdminLine& line, Source& source) {
  auto answer = line.ask(kShowStat);
  if (!answer) return std::unexpected(std::move(answer).error());
  const StatTable table = parse_stat(*answer);
  Counted counted{.clients = table.clients};
  for (const StatTable::Row& row : table.backends) {
    const auto service = service_of_backend(row.backend);
    if (!service) continue;
    Counters now = row.counters;
    Counters& last = source.last[row.backend];
    now.latency_us = last.latency_us;
    if (row.http && now.requests != last.requests) {
      auto sum = line.ask("get var " + latency_variable(row.backend));
      if (!sum) return std::unexpected(std::move(sum).error());
      now.latency_us = parse_variable(*sum);
    }
    last = now;
    counted.reading[*service] += now;
  }
  return counted;
}

Task<> Proxy::read_counters(Ledger& ledger) {
  std::vector<std::shared_ptr<Source>> sources = draining_;
  if (current_) sources.push_back(current_);
  for (const auto& source : sources) {
    auto counted = co_await blocking(loop_, pool_,
                                     [source, folder = folder_] { return count(*source, folder); });
    const std::string id = id_of(source->process);
    if (counted) ledger.read(id, counted->reading, source->fresh, loop_.clock().now());
    if (source == current_) continue;
    if (counted && counted->clients > 0 && draining_.size() <= kMaxDraining) continue;
    ledger.forget_process(id);
    std::erase(draining_, source);
  }
}

void Proxy::watch(const ProcessIdentity& process) {
  end_.reset();
  process_ = process;
  pidfd_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
  if (!pidfd_ || !is_alive(process)) {
    loop_.post([this, process] {
      if (process_ == process) ended();
    });
    return;
  }
  end_ = std::make_unique<Readiness>(loop_, pidfd_.get());
  end_->when_readable([this] { ended(); });
}

void Proxy::ended() {
  process_.reset();
  drain(std::exchange(current_, nullptr));  // it is found gone, and forgotten
  end_.reset();
  died_();
}

void Proxy::end() {
  end_.reset();
  if (process_ && is_alive(*process_)) ::kill(process_->pid, SIGUSR1);
  process_.reset();
  drain(std::exchange(current_, nullptr));
}

void Proxy::drain(std::shared_ptr<Source> source) {
  if (source) draining_.push_back(std::move(source));
}

}  // namespace slipway::runtime::traffic
