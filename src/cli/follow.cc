#include "cli/follow.h"

#include <algorithm>

#include "cli/bell.h"
#include "cli/exit_code.h"
#include "cli/output.h"
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
  std::optional<std::string> last;
  while (!output_failed()) {
    const Duration began = clock.uptime();
    auto seen = co_await at.look();
    if (!seen) co_return complain(seen.error());
    if (stdout_is_terminal())
      screen.show(seen->draw(clock.now()));
    else if (seen->state != last)
      print(seen->draw(clock.now()) + "\n");
    last = seen->state;
    if (seen->ended) co_return *seen->ended;
    co_await sleep_for(session.loop(), std::max(kSettle, clock.uptime() - began));
    co_await show_until_changed(session, bell, screen, *seen);
  }
  co_return kExitCannotAsk;
}

Task<int> wait_until_ended(Session& session, const Looking& at, const Patience& patience,
                           Bell& bell) {
  const Clock& clock = session.loop().clock();
  const Duration began = clock.uptime();
  std::string last;
  while (true) {
    const auto seen = co_await at.look();
    if (!seen) co_return complain(seen.error());
    if (seen->ended) {
      print_line(seen->state);
      co_return *seen->ended;
    }
    if (seen->state != last && stdout_is_terminal()) note(seen->state);
    last = seen->state;
    const Duration waited = clock.uptime() - began;
    if (patience.timeout && waited >= *patience.timeout) {
      print_line(seen->state);
      co_return complain({.code = ErrorCode::kTimeout, .message = patience.late});
    }
    Duration most = bell.hears_all() ? kReread : kPoll;
    if (patience.timeout) most = std::min(most, *patience.timeout - waited);
    co_await bell.wait(most);
  }
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

}  // namespace slipway::cli
