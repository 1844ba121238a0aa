#include "cli/follow.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/bell.h"
#include "cli/exit_code.h"
#include "cli/run_screen.h"

namespace slipway::cli {

namespace {

constexpr Duration kRedraw = std::chrono::seconds(1);
// Changes come in flocks: between two looks at least this, and as long as a look takes.
constexpr Duration kSettle = std::chrono::milliseconds(300);
constexpr int kMaxRedraws = 30;  // of one look; then another, though nothing rang
// Between looks at something whose changes are not heard of, and of one whose are.
constexpr Duration kPoll = std::chrono::milliseconds(250);
constexpr Duration kReread = std::chrono::seconds(10);
// A server that is started again is back soon: who has seen it waits this long for it.
constexpr Duration kOutage = std::chrono::minutes(1);
constexpr Duration kAskAgain = std::chrono::seconds(1);
constexpr std::string_view kSilent = "the server does not answer; waiting for it";

// Another look, after one that worked: a server that does not answer is waited for, at most until
// `patience` is over. `silent` is called once when that begins.
Task<Result<Look>> look_again(Session& session, const Looking& at, Duration patience,
                              std::function<void()> silent) {
  const Clock& clock = session.loop().clock();
  const Duration deadline = clock.uptime() + std::min(patience, kOutage);
  for (bool first = true;; first = false) {
    auto seen = co_await at.look();
    if (seen || seen.error().code != ErrorCode::kUnavailable || clock.uptime() >= deadline)
      co_return seen;
    if (first) silent();
    co_await sleep_for(session.loop(), std::min(kAskAgain, deadline - clock.uptime()));
  }
}

// Until something has changed. Times go by on the terminal meanwhile.
Task<> show_until_changed(Session& session, Bell& bell, LiveScreen& screen, Look& seen) {
  for (int i = 0; i < kMaxRedraws && !output_failed(); ++i) {
    if (co_await bell.wait(kRedraw) || !bell.hears_all()) co_return;
    if (stdout_is_terminal()) screen.show(seen.draw(session.loop().clock().now()));
  }
}

Task<int> follow(Session& session, const Looking& at, Bell& bell) {
  const Clock& clock = session.loop().clock();
  LiveScreen screen(stdout);
  Duration began = clock.uptime();
  auto seen = co_await at.look();
  std::optional<std::string> last;
  while (seen && !output_failed()) {
    const Duration took = std::min(clock.uptime() - began, kReread);  // an outage is no look
    if (stdout_is_terminal())
      screen.show(seen->draw(clock.now()));
    else if (seen->state != last)
      print(seen->draw(clock.now()) + "\n");
    last = seen->state;
    if (seen->ended) co_return *seen->ended;
    co_await sleep_for(session.loop(), std::max(kSettle, took));
    co_await show_until_changed(session, bell, screen, *seen);
    began = clock.uptime();
    auto next = co_await look_again(session, at, kOutage, [&] {
      if (stdout_is_terminal())
        screen.show(fmt::format("{}\n\n{}", kSilent, seen->draw(clock.now())));
      else
        note(kSilent);
    });
    seen = std::move(next);
  }
  co_return seen ? kExitCannotAsk : complain(seen.error());
}

Task<> print_end(std::string state, const Patience& patience, bool well) {
  print_line(state);
  if (well || !patience.explain) co_return;
  if (const std::string why = co_await patience.explain(); !why.empty()) print_line(why);
}

Task<int> wait_until_ended(Session& session, const Looking& at, const Patience& patience,
                           Bell& bell) {
  const Clock& clock = session.loop().clock();
  const Duration began = clock.uptime();
  const auto left = [&] {
    return patience.timeout ? *patience.timeout - (clock.uptime() - began) : kReread;
  };
  auto seen = co_await at.look();
  std::string last;
  while (seen) {
    if (seen->ended) {
      co_await print_end(seen->state, patience, *seen->ended == kExitDone);
      co_return *seen->ended;
    }
    if (seen->state != last && stdout_is_terminal()) note(seen->state);
    last = seen->state;
    if (patience.timeout && left() <= Duration::zero()) {
      co_await print_end(seen->state, patience, false);
      co_return complain({.code = ErrorCode::kTimeout, .message = patience.late});
    }
    co_await bell.wait(std::min(bell.hears_all() ? kReread : kPoll, left()));
    seen = co_await look_again(session, at, patience.timeout ? left() : kOutage,
                               [] { note(kSilent); });
  }
  co_return complain(seen.error());
}

}  // namespace

Task<int> follow(Session& session, Looking at) {
  Bell bell(session.loop(), session.connection(), at.lists);
  const int code = co_await follow(session, at, bell);
  co_await bell.stop();
  co_return code;
}

Task<int> wait_until_ended(Session& session, Looking at, Patience patience) {
  Bell bell(session.loop(), session.connection(), at.lists);
  const int code = co_await wait_until_ended(session, at, patience, bell);
  co_await bell.stop();
  co_return code;
}

Result<> check_drawn(bool watch, Format format, std::string_view what) {
  if (!watch || format == Format::kTable) return {};
  return fail(ErrorCode::kInvalid,
              fmt::format("-w draws for people, and prints no -o; for each change as an object: "
                          "slipway get {} -w -o json",
                          what));
}

Result<std::optional<Duration>> parse_how_long(std::string_view flag, const std::string& text) {
  if (text.empty()) return std::nullopt;
  auto parsed = parse_duration(text);
  if (parsed && *parsed >= Duration::zero()) return *parsed;
  return fail(ErrorCode::kInvalid,
              fmt::format("{}: \"{}\" is not a duration; write 30s, 10m or 1h", flag, text));
}

}  // namespace slipway::cli
