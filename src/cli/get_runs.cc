#include "cli/get_runs.h"

#include <fmt/format.h>

#include "cli/exit_code.h"
#include "cli/lines.h"
#include "cli/output.h"
#include "cli/run_screen.h"

namespace slipway::cli {

namespace {

constexpr Duration kRedraw = std::chrono::seconds(1);  // times that are told go by

std::string key_of(const json::Value& object, bool with_namespace) {
  const std::string name(json::string_at(object, {"metadata", "name"}));
  return with_namespace
             ? fmt::format("{}/{}", json::string_at(object, {"metadata", "namespace"}), name)
             : name;
}

// What the server may send that is no run is passed over: the next event may be one.
void take(Runs& runs, const json::Value& event, bool with_namespace) {
  const json::Value* object = json::at(event, {"object"});
  if (object == nullptr) return;
  const std::string key = key_of(*object, with_namespace);
  if (json::string_at(event, {"type"}) == "DELETED") {
    runs.erase(key);
    return;
  }
  if (auto run = api::decode<api::argo::AnalysisRun>(*object))
    runs.insert_or_assign(key, std::move(*run));
}

}  // namespace

bool is_drawn_live(const ServedKind& kind) {
  return kind.kind == "AnalysisRun" && kind.api_version().starts_with("argoproj.io/");
}

Task<int> follow_runs(Session& session, std::string target, bool all_namespaces) {
  store::kube::Call call{.target = std::move(target)};
  call.headers.set("Accept", "application/json");
  auto stream = co_await session.open_stream(std::move(call));
  if (!stream) co_return complain(stream.error());
  if ((*stream)->status() >= 400) co_return complain(co_await read_refusal(**stream));
  Lines lines(**stream);
  LiveScreen screen(stdout);
  Runs runs;
  const Clock& clock = session.loop().clock();
  while (!output_failed()) {
    const Duration began = clock.uptime();
    auto line = co_await lines.next(kRedraw);
    const bool early = !line && clock.uptime() - began < kRedraw;  // kTimeout of what broke
    if (has_broken_off(line) || (early && line.error().code == ErrorCode::kTimeout))
      co_return complain(session.stream_ended());
    if (line) {
      auto event = json::read(*line, {.max_bytes = line->size()});
      if (!event) co_return complain(event.error());
      if (json::string_at(*event, {"type"}) == "ERROR")
        co_return complain(
            {.code = ErrorCode::kExpired,
             .message = std::string(json::string_at(*event, {"object", "message"}))});
      take(runs, *event, all_namespaces);
    } else if (line.error().code != ErrorCode::kTimeout) {
      co_return complain(line.error());
    }
    screen.show(board_of(
        runs,
        {.now = clock.now(), .colour = colours(), .names = true, .columns = screen.columns()}));
  }
  co_return kExitCannotAsk;
}

}  // namespace slipway::cli
