#include "cli/get_runs.h"

#include <fmt/format.h>

#include "cli/exit_code.h"
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
  if (object == nullptr || json::string_at(event, {"type"}) == "BOOKMARK") return;
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

Task<int> follow_runs(Session& session, Watching events, bool all_namespaces) {
  LiveScreen screen(stdout);
  Runs runs;
  const Clock& clock = session.loop().clock();
  while (!output_failed()) {
    auto event = co_await events.next(kRedraw);
    if (!event && event.error().code != ErrorCode::kTimeout) co_return complain(event.error());
    if (event) take(runs, *event, all_namespaces);
    screen.show(board_of(
        runs,
        {.now = clock.now(), .colour = colours(), .names = true, .columns = screen.columns()}));
  }
  co_return kExitCannotAsk;
}

}  // namespace slipway::cli
