#include "cli/rollout/change_tool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/tree/gather.h"
#include "cli/wanted.h"

namespace slipway::cli {

namespace {

constexpr std::array<std::string_view, 8> kChanging = {"promote", "abort",   "retry", "pause",
                                                       "undo",    "restart", "set",   "terminate"};
constexpr std::string_view kMergePatch = "application/merge-patch+json";
constexpr std::string_view kJsonPatch = "application/json-patch+json";
// Of a promotion that is refused because the Rollout changes all the time.
constexpr int kMaxPromoteTries = 10;
constexpr std::string_view kHowToTerminate =
    "say what to end: slipway rollout terminate analysisrun NAME, or experiment NAME";
constexpr std::string_view kHowToSet =
    "say which image: slipway rollout set image NAME CONTAINER=IMAGE";

const ServedKind kRollout = argo_kind("rollout", "Rollout", "ro");
const ServedKind kAnalysisRun = argo_kind("analysisrun", "AnalysisRun", "ar");
const ServedKind kExperiment = argo_kind("experiment", "Experiment", "exp");

// `analysisrun x`, `ar/x`
struct Ended {
  std::string type = {}, name = {};
};
Result<Ended> parse_ended(const std::vector<std::string>& words) {
  const bool pair = words.size() == 1 && words[0].find('/') != std::string::npos;
  if (!pair && words.size() != 2) return fail(ErrorCode::kInvalid, std::string(kHowToTerminate));
  const std::string type = pair ? words[0].substr(0, words[0].find('/')) : words[0];
  const ServedKind* kind = nullptr;
  for (const ServedKind* one : {&kAnalysisRun, &kExperiment})
    if (find_served({*one}, type) != nullptr) kind = one;
  if (words.back().empty() || words.back().ends_with('/'))
    return fail(ErrorCode::kInvalid, std::string(kHowToTerminate));
  if (kind == nullptr)
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" cannot be terminated; write analysisrun or "
                            "experiment (an update is aborted: slipway "
                            "rollout abort NAME)",
                            type));
  auto name = parse_name(*kind, words.back());
  if (!name) return std::unexpected(name.error());
  return Ended{kind->plural, std::move(*name)};
}

}  // namespace

bool changes_something(std::string_view verb) {
  return std::ranges::find(kChanging, verb) != kChanging.end();
}

Result<> understand_words(RolloutOptions& options) {
  auto& words = options.words;
  if (options.verb == "terminate") {
    const auto ended = parse_ended(words);
    if (!ended) return std::unexpected(ended.error());
    words = {ended->type, ended->name};
    return {};
  }
  const bool sets = options.verb == "set";
  if (sets && (words.size() < 3 || words[0] != "image"))
    return fail(ErrorCode::kInvalid, std::string(kHowToSet));
  std::string& named = sets ? words[1] : options.name;
  auto name = parse_name(kRollout, named);
  if (!name) return std::unexpected(name.error());
  named = std::move(*name);
  for (const std::string& word : words | std::views::drop(2))
    if (const auto assigned = parse_assignment(word); !assigned)
      return std::unexpected(assigned.error());
  return {};
}

Task<int> ChangeTool::run() {
  if (options_.verb == "terminate") co_return co_await terminate();
  auto kind = co_await session_.find_kind("rollouts.argoproj.io");
  if (!kind) co_return complain(kind.error());
  kind_ = std::move(*kind);
  const auto found = co_await read(options_.verb == "set" ? options_.words[1] : options_.name);
  if (!found) co_return complain(found.error());
  if (options_.verb == "promote") co_return co_await promote();
  if (options_.verb == "set") co_return co_await set_image();
  if (options_.verb == "undo") co_return co_await undo();
  const auto change = options_.verb == "abort"   ? decide_abort(rollout_.view)
                      : options_.verb == "retry" ? decide_retry(rollout_.view)
                      : options_.verb == "pause"
                          ? Result<Change>(decide_pause(rollout_.view))
                          : decide_restart(session_.loop().clock().now() + delay_);
  if (!change) co_return complain(change.error());
  co_return co_await carry_out(*change);
}

Task<Result<>> ChangeTool::read(std::string name) {
  auto found = co_await session_.send({.target = kind_.path(session_.ns(), name)});
  if (!found) co_return std::unexpected(std::move(found).error());
  auto rollout = read_rollout(std::move(*found));
  if (!rollout) co_return std::unexpected(std::move(rollout).error());
  rollout_ = std::move(*rollout);
  co_return Result<>();
}

Task<int> ChangeTool::promote() {
  const api::argo::Rollout seen = rollout_.view;
  for (int tries = 1;; ++tries) {
    const auto change = decide_promote(rollout_.view, options_.full);
    if (!change) co_return complain(change.error());
    const auto written = co_await write(*change);
    if (written) co_return say(*written, change->done);
    if (written.error().code != ErrorCode::kConflict || tries == kMaxPromoteTries)
      co_return complain(written.error());
    const auto found = co_await read(options_.name);
    if (!found) co_return complain(found.error());
    const auto past = has_gone_past(seen, rollout_.view, options_.full);
    if (!past) co_return complain(past.error());
    if (*past) co_return say(rollout_.document, change->done);
  }
}

Task<int> ChangeTool::carry_out(Change change) {
  const auto written = co_await write(change);
  if (!written) co_return complain(written.error());
  co_return say(*written, change.done);
}

// The status first: where it is no subresource, the object takes both at once.
Task<Result<json::Value>> ChangeTool::write(Change change) {
  const std::string target =
      kind_.path(session_.ns(), json::string_at(rollout_.document, {"metadata", "name"}));
  json::Value document = rollout_.document;
  std::string to_object = change.spec;
  if (!change.status.empty()) {
    auto answer = co_await patch(target + "/status", change.status, kMergePatch);
    const bool has_none = !answer && answer.error().code == ErrorCode::kNotFound;
    if (!answer && !has_none) co_return answer;
    if (has_none)
      to_object = change.both;
    else
      document = std::move(*answer);
  }
  if (!to_object.empty()) {
    auto answer = co_await patch(target, to_object, kMergePatch);
    if (!answer) co_return answer;
    document = std::move(*answer);
  }
  co_return document;
}

Task<int> ChangeTool::terminate() {
  const auto ended = parse_ended(options_.words);
  auto kind = co_await session_.find_kind(ended->type + ".argoproj.io");
  if (!kind) co_return complain(kind.error());
  kind_ = std::move(*kind);
  const auto answer = co_await patch(kind_.path(session_.ns(), ended->name),
                                     R"({"spec":{"terminate":true}})", kMergePatch);
  if (!answer) co_return complain(answer.error());
  co_return say(*answer, "terminated");
}

Task<Result<TemplateHome>> ChangeTool::find_template() {
  const auto& ref = rollout_.view.spec.workload_ref;
  home_kind_ = kind_;
  if (!ref) co_return TemplateHome{.document = rollout_.document, .pointer = "/spec/template"};
  auto kind = co_await session_.find_kind(ref->api_version, ref->kind);
  if (!kind) co_return std::unexpected(std::move(kind).error());
  home_kind_ = std::move(*kind);
  auto found = co_await session_.send({.target = home_kind_.path(session_.ns(), ref->name)});
  if (!found) co_return std::unexpected(std::move(found).error());
  co_return TemplateHome{.document = std::move(*found),
                         .pointer = ref->kind == "PodTemplate" ? "/template" : "/spec/template"};
}

Task<int> ChangeTool::write_template(TemplateHome home, TemplateChange change) {
  if (change.patch.empty()) co_return say(rollout_.document, change.done);
  const std::string_view name = json::string_at(home.document, {"metadata", "name"});
  const auto answer =
      co_await patch(home_kind_.path(session_.ns(), name), change.patch, kJsonPatch);
  if (!answer) co_return complain(answer.error());
  co_return say(rollout_.view.spec.workload_ref ? rollout_.document : *answer, change.done);
}

Task<int> ChangeTool::undo() {
  const auto sets = co_await list_items(
      session_, fmt::format("/apis/apps/v1/namespaces/{}/replicasets", session_.ns()));
  if (!sets) co_return complain(sets.error());
  auto home = co_await find_template();
  if (!home) co_return complain(home.error());
  const auto change = decide_undo(
      controlled_by(rollout_.document, *sets), *home,
      {.revision = options_.to_revision, .stable_hash = rollout_.view.status.stable_rs});
  if (!change) co_return complain(change.error());
  co_return co_await write_template(std::move(*home), *change);
}

Task<int> ChangeTool::set_image() {
  auto home = co_await find_template();
  if (!home) co_return complain(home.error());
  const auto change = decide_images({options_.words.begin() + 2, options_.words.end()}, *home);
  if (!change) co_return complain(change.error());
  co_return co_await write_template(std::move(*home), *change);
}

Task<Result<json::Value>> ChangeTool::patch(std::string target, std::string body,
                                            std::string_view type) {
  store::kube::Call call{
      .method = "PATCH", .target = std::move(target), .body = std::move(body), .repeatable = true};
  call.headers.set("Content-Type", std::string(type));
  return session_.send(std::move(call));
}

int ChangeTool::say(const json::Value& document, std::string_view done) {
  const std::string name = kind_.object_name(json::string_at(document, {"metadata", "name"}));
  print_changed(document, name, done, format_);
  return kExitDone;
}

}  // namespace slipway::cli
