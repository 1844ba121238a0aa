#include "cli/logs.h"

#include <fmt/format.h>

#include "cli/exit_code.h"
#include "cli/lines.h"
#include "cli/output.h"
#include "cli/wanted.h"
#include "http/message.h"

namespace slipway::cli {

namespace {

constexpr Duration kPatience = std::chrono::hours(24 * 365);  // a quiet container says nothing

const ServedKind kPod{.group = "",
                      .version = "v1",
                      .plural = "pods",
                      .singular = "pod",
                      .kind = "Pod",
                      .short_names = {"po"}};

Task<int> show(Session& session, std::string target) {
  auto stream = co_await session.open_stream({.target = std::move(target)});
  if (!stream) co_return complain(stream.error());
  if ((*stream)->status() >= 400) co_return complain(co_await read_refusal(**stream));
  for (;;) {
    auto piece = co_await (*stream)->next(kPatience, {});
    if (!piece && has_broken_off(piece)) co_return complain(session.stream_ended());
    if (!piece) co_return complain(piece.error());
    if (piece->empty()) co_return kExitDone;
    print(*piece);
    if (output_failed()) co_return kExitCannotAsk;
  }
}

}  // namespace

Result<std::string> logs_query(const LogsOptions& options) {
  std::vector<std::pair<std::string, std::string>> query;
  if (!options.container.empty()) query.emplace_back("container", options.container);
  if (options.follow) query.emplace_back("follow", "true");
  if (options.previous) query.emplace_back("previous", "true");
  if (options.timestamps) query.emplace_back("timestamps", "true");
  if (options.tail >= 0) query.emplace_back("tailLines", std::to_string(options.tail));
  if (!options.since.empty()) {
    const auto since = parse_duration(options.since);
    if (!since) return fail(since.error().code, since.error().text(), "--since");
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*since).count();
    if (seconds < 1)
      return fail(
          ErrorCode::kInvalid,
          fmt::format("--since \"{}\" is not in the past; write 10s, 5m or 1h", options.since));
    query.emplace_back("sinceSeconds", std::to_string(seconds));
  }
  return http::format_query(query);
}

int logs(const LogsOptions& options) {
  const auto name = parse_name(kPod, options.pod);
  if (!name) return complain(name.error()), kExitUsage;
  const auto query = logs_query(options);
  if (!query) return complain(query.error()), kExitUsage;
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  std::string target =
      fmt::format("/api/v1/namespaces/{}/pods/{}/log", http::percent_encode((*session)->ns()),
                  http::percent_encode(*name));
  if (!query->empty()) target += "?" + *query;
  return run_to_end((*session)->loop(), show(**session, std::move(target)));
}

}  // namespace slipway::cli
