#include "cli/follow.h"

#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/run_screen.h"

namespace slipway::cli {

namespace {

constexpr Duration kRedraw = std::chrono::seconds(1);
constexpr Duration kPoll = std::chrono::milliseconds(250);

}  // namespace

Task<int> follow(Session& session, Looking look) {
  LiveScreen screen(stdout);
  std::optional<std::string> last;
  while (!output_failed()) {
    const auto seen = co_await look();
    if (!seen) co_return complain(seen.error());
    if (stdout_is_terminal())
      screen.show(seen->text);
    else if (seen->state != last)
      print(seen->text + "\n");
    last = seen->state;
    if (seen->ended) co_return *seen->ended;
    co_await sleep_for(session.loop(), kRedraw);
  }
  co_return kExitCannotAsk;
}

Task<int> wait_until_ended(Session& session, Looking look, Patience patience) {
  const Clock& clock = session.loop().clock();
  const Duration began = clock.uptime();
  std::string last;
  while (true) {
    const auto seen = co_await look();
    if (!seen) co_return complain(seen.error());
    if (seen->ended) {
      print_line(seen->state);
      co_return *seen->ended;
    }
    if (seen->state != last && stdout_is_terminal()) note(seen->state);
    last = seen->state;
    if (patience.timeout && clock.uptime() - began >= *patience.timeout) {
      print_line(seen->state);
      co_return complain({.code = ErrorCode::kTimeout, .message = patience.late});
    }
    co_await sleep_for(session.loop(), kPoll);
  }
}

}  // namespace slipway::cli
