#include "runtime/traffic/process.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "runtime/process/descriptor.h"
#include "runtime/process/run_program.h"
#include "runtime/traffic/admin_line.h"
#include "runtime/traffic/find_proxies.h"

namespace slipway::runtime::traffic {

namespace {

constexpr const char* kNextFile = "next.cfg";
constexpr const char* kIdentityFile = "haproxy.json";
constexpr Duration kCheckPatience = std::chrono::seconds(30);
constexpr Duration kStartPatience = std::chrono::seconds(60);
// A start that somebody else began is waited for: ten seconds.
constexpr int kLooks = 1000;
constexpr int kBetweenLooksMs = 10;
constexpr std::size_t kMaxFindings = 1000;
constexpr int kMaxChecks = 20;  // of the tests of one configuration

template <class Number>
Number number_of(std::string_view text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Result<> save_identity(const std::string& folder, const ProcessIdentity& identity) {
  const json::Object document{
      {"pid", identity.pid}, {"startTicks", identity.start_ticks}, {"bootId", identity.boot_id}};
  return file::write(folder + "/" + kIdentityFile, json::write(document), 0600);
}

std::optional<ProcessIdentity> saved_identity(const std::string& folder) {
  const auto text = file::read(folder + "/" + kIdentityFile);
  const auto document = text ? json::read(*text) : Result<json::Value>(fail(text.error()));
  if (!document || !document->is_object()) return std::nullopt;
  boost::json::error_code wrong;
  ProcessIdentity identity{.boot_id = std::string(json::string_at(*document, {"bootId"}))};
  if (const auto* pid = json::at(*document, {"pid"})) identity.pid = pid->to_number<int>(wrong);
  if (const auto* ticks = json::at(*document, {"startTicks"}))
    identity.start_ticks = ticks->to_number<std::uint64_t>(wrong);
  return identity;
}

// Who answers. kTimeout: somebody is there and says nothing.
Result<ProcessIdentity> ask_identity(const std::string& folder) {
  auto line = AdminLine::open(folder);
  if (!line) return std::unexpected(std::move(line).error());
  const auto pid = line->process();
  if (!pid) return std::unexpected(pid.error());
  auto identity = identify(*pid);
  if (!identity) return fail(ErrorCode::kUnavailable, "the proxy has ended");
  return std::move(*identity);
}

// The youngest that is no older than `known`, which it is about to replace. Two may be of one age:
// a process that starts the proxy, and the proxy.
std::optional<Process> find_successor(const std::string& folder,
                                      const std::optional<ProcessIdentity>& known) {
  std::vector<Process> found = find_proxies(folder);
  if (known && known->boot_id == boot_id())
    std::erase_if(found, [&](const Process& process) {
      return process.pid == known->pid || process.start_ticks < known->start_ticks;
    });
  const auto youngest = std::ranges::max_element(found, {}, &Process::start_ticks);
  return youngest == found.end() ? std::nullopt : std::optional(*youngest);
}

std::string tail_of(std::string_view text) {
  std::string last;
  for (const std::string& line : text::split(text, '\n'))
    if (line.contains("[ALERT]"))
      last = line.substr(line.find(" : ") == std::string::npos ? 0 : line.find(" : ") + 3);
  return last.empty() ? std::string(text::trim(text)) : last;
}

// The configuration line for line, without what routes do and without the routes in `wrong`: tests
// alone are left of them.
std::string only_tests(const Rendered& rendered, const std::set<store::Key>& wrong) {
  std::string left;
  int number = 0;
  for (const std::string& line : text::split(rendered.config, '\n')) {
    const auto route = rendered.routes.find(++number);
    const bool of_route = route != rendered.routes.end();
    if (!of_route || (text::trim(line).starts_with("acl ") && !wrong.contains(route->second)))
      left += line;
    left += '\n';
  }
  return left;
}

// Notes whose lines the findings are of; whether that is news.
bool blame(const std::vector<Finding>& findings, const Rendered& rendered,
           std::set<store::Key>& wrong) {
  const auto known = wrong.size();
  for (const Finding& finding : findings)
    if (const auto route = rendered.routes.find(finding.line); route != rendered.routes.end())
      wrong.insert(route->second);
  return wrong.size() > known;
}

Result<std::vector<Finding>> check_text(const std::string& program, const std::string& folder,
                                        const std::string& config) {
  SLIPWAY_TRY(file::write(folder + "/" + kNextFile, config, 0600));
  auto ran = run_program({program, "-c", "-C", folder, "-f", kNextFile}, kCheckPatience);
  if (!ran) return std::unexpected(std::move(ran).error());
  if (ran->code == 0) return std::vector<Finding>{};
  auto findings = parse_findings(ran->output);
  if (findings.empty()) findings.push_back({.text = tail_of(ran->output)});
  return findings;
}

std::string bind_problem(const Listener& listener) {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  // As the proxy does it; what a proxy of ours listens at already is free for the next one.
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(listener.port));
  if (::inet_pton(AF_INET, listener.address.c_str(), &address.sin_addr) != 1)
    return "no IPv4 address";
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return {};
  return errno == EADDRINUSE
             ? "the port is in use; end the process that has it, or choose another port"
             : strerror(errno);
}

}  // namespace

std::vector<Finding> parse_findings(std::string_view complaints) {
  std::vector<Finding> findings;
  const std::string mark = fmt::format("[{}:", kNextFile);
  for (const std::string& line : text::split(complaints, '\n')) {
    if (!line.contains("[ALERT]") || findings.size() >= kMaxFindings) continue;
    const auto at = line.find(mark);
    if (at == std::string::npos) continue;
    const auto end = line.find(']', at);
    findings.push_back({.line = number_of<int>(std::string_view(line).substr(at + mark.size())),
                        .text = std::string(text::trim(line.substr(end + 1)))});
    auto& text = findings.back().text;
    if (text.starts_with(": ")) text.erase(0, 2);
    // It gives up, at a line that nothing is wrong with.
    if (text.starts_with("too many fatal errors")) findings.pop_back();
  }
  return findings;
}

Result<std::vector<Finding>> check_config(const std::string& program, const std::string& folder,
                                          const Rendered& rendered) {
  SLIPWAY_TRY(file::make_folder(folder, 0700));
  SLIPWAY_TRY(file::write(folder + "/" + kWeightsFile, rendered.weights, 0600));
  auto findings = check_text(program, folder, rendered.config);
  if (!findings || findings->empty()) return findings;
  // The proxy reads on after a test that it does not take, until it has fifty of them, but not
  // after the first rule that asks for such a test. So tests are read without the rules, again and
  // again, each time without the routes that are known by then.
  std::set<store::Key> wrong;
  for (int check = 0; check < kMaxChecks && blame(*findings, rendered, wrong); ++check) {
    auto more = check_text(program, folder, only_tests(rendered, wrong));
    if (!more) return more;
    findings->insert(findings->end(), more->begin(), more->end());
  }
  return findings;
}

Result<ProcessIdentity> start_process(const std::string& program, const std::string& folder) {
  std::error_code wrong;
  std::filesystem::rename(folder + "/" + kNextFile, folder + "/" + kConfigFile, wrong);
  if (wrong) return fail(ErrorCode::kInternal, "the configuration cannot be put in place");
  std::vector<std::string> argv = proxy_words(folder);
  argv.insert(argv.begin(), program);
  std::set<pid_t> others;
  for (const Process& process : find_proxies(folder)) others.insert(process.pid);
  if (const auto answering = ask_identity(folder)) {
    argv.insert(argv.end(), {"-x", kAdminSocket});
    others.insert(answering->pid);
  }
  // Those that end already take no harm from being told again.
  if (!others.empty()) argv.push_back("-sf");
  for (const pid_t pid : others) argv.push_back(std::to_string(pid));
  auto ran = run_program(argv, kStartPatience);
  if (!ran) return std::unexpected(std::move(ran).error());
  if (ran->code != 0)
    return fail(ErrorCode::kUnavailable, "the proxy does not start: " + tail_of(ran->output));
  const auto pid = file::read(folder + "/" + kPidFile);
  const auto identity = pid ? identify(number_of<pid_t>(text::trim(*pid))) : std::nullopt;
  if (!identity) return fail(ErrorCode::kUnavailable, "the proxy ended at once");
  SLIPWAY_TRY(save_identity(folder, *identity));
  return *identity;
}

// A server that was killed while the proxy was being replaced has left a process behind that still
// takes over: whoever adopted the one before it would know of a proxy that has nothing to do any
// more, and not of the one that has.
std::optional<ProcessIdentity> find_process(const std::string& folder) {
  const auto saved = saved_identity(folder);
  for (int look = 0; look < 2 * kLooks; ++look) {
    const auto answering = ask_identity(folder);
    if (!answering && answering.error().code == ErrorCode::kTimeout) {
      if (saved && is_alive(*saved)) ::kill(saved->pid, SIGKILL);
      return std::nullopt;
    }
    // When nobody answers, those up to the last one we know of have nothing left but connections.
    const auto known = answering ? std::optional(*answering) : saved;
    if (const auto successor = find_successor(folder, known)) {
      if (look >= kLooks) ::kill(successor->pid, SIGKILL);
    } else {
      // It may have been done before we looked for it.
      const auto again = ask_identity(folder);
      if (answering && again && *answering == *again) return *answering;
      if (!answering && !again) return std::nullopt;
    }
    ::poll(nullptr, 0, kBetweenLooksMs);
  }
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> find_taken(
    const std::vector<Listener>& listeners) {
  std::vector<std::pair<std::string, std::string>> taken;
  for (const Listener& listener : listeners)
    if (const std::string problem = bind_problem(listener); !problem.empty())
      taken.emplace_back(listener.name, fmt::format("{}:{} cannot be listened at: {}",
                                                    listener.address, listener.port, problem));
  return taken;
}

std::int32_t first_open_port() {
  if (::geteuid() == 0) return 0;
  const auto text = file::read("/proc/sys/net/ipv4/ip_unprivileged_port_start");
  return text ? number_of<std::int32_t>(text::trim(*text)) : 1024;
}

}  // namespace slipway::runtime::traffic
