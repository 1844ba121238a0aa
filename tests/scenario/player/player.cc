#include "scenario/player/player.h"

#include <fmt/format.h>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "base/yaml.h"
#include "scenario/player/expectation.h"
#include "scenario/player/kinds.h"
#include "store/decode.h"

namespace slipway::scenario {

namespace {

constexpr Duration kBetweenLooks = std::chrono::milliseconds(200);

struct Target {
  api::Gvr kind;
  std::string name;
};
// "deployment/web", or the name of a Rollout.
Result<Target> target_of(std::string_view word) {
  const auto slash = word.find('/');
  if (slash == std::string_view::npos) return Target{kRollouts, std::string(word)};
  const api::Gvr* kind = find_kind(word.substr(0, slash));
  if (!kind) return fail(ErrorCode::kInvalid, fmt::format("{} is no kind", word.substr(0, slash)));
  return Target{*kind, std::string(word.substr(slash + 1))};
}

bool bool_at(const json::Value& object, json::Path path) {
  const json::Value* found = json::at(object, path);
  return found && found->is_bool() && found->get_bool();
}

std::int64_t number_at(const json::Value& object, json::Path path) {
  const json::Value* found = json::at(object, path);
  return found && found->is_int64() ? found->get_int64() : 0;
}

bool is_step_inconclusive(const json::Value& rollout) {
  return json::string_at(rollout, {"status", "canary", "currentStepAnalysisRunStatus", "status"}) ==
         "Inconclusive";
}

bool is_paused(const json::Value& rollout) {
  const json::Value* pauses = json::at(rollout, {"status", "pauseConditions"});
  return pauses && pauses->is_array() && !pauses->get_array().empty();
}

// The patch of the status by which `kubectl argo rollouts promote` sends a canary on; empty: none.
std::string promotion(const json::Value& rollout) {
  const json::Value* steps = json::at(rollout, {"spec", "strategy", "canary", "steps"});
  const auto count = steps && steps->is_array()
                         ? static_cast<std::int64_t>(steps->get_array().size())
                         : std::int64_t(0);
  const auto next = std::min(count, number_at(rollout, {"status", "currentStepIndex"}) + 1);
  if (is_step_inconclusive(rollout) && is_paused(rollout) && count > 0)
    return fmt::format(
        R"({{"status":{{"pauseConditions":null,"controllerPause":false,"currentStepIndex":{}}}}})",
        next);
  if (is_paused(rollout)) return R"({"status":{"pauseConditions":null}})";
  if (json::at(rollout, {"spec", "strategy", "canary"}) && count > 0)
    return fmt::format(R"({{"status":{{"currentStepIndex":{}}}}})", next);
  return {};
}

}  // namespace

const std::vector<Player::Verb>& Player::verbs() {
  static const std::vector<Verb> all{
      {"apply", 1, &Player::apply},     {"metric", 3, &Player::metric},
      {"ready", 1, &Player::ready},     {"unready", 1, &Player::unready},
      {"set", 3, &Player::set},         {"scale", 2, &Player::scale},
      {"promote", 1, &Player::promote}, {"abort", 1, &Player::abort},
      {"retry", 1, &Player::retry},     {"pause", 1, &Player::pause},
      {"restart", 1, &Player::restart}, {"undo", 1, &Player::undo},
      {"patch", 2, &Player::patch},     {"terminate", 1, &Player::terminate},
      {"delete", 1, &Player::remove},   {"expect", 2, &Player::expect}};
  return all;
}

Task<std::string> Player::play() {
  const Duration began = stage_.loop().clock().uptime();
  for (const Line& line : script_.lines) {
    const Duration wait = began + stage_.lasting(line.at) - stage_.loop().clock().uptime();
    if (wait > Duration::zero()) co_await sleep_for(stage_.loop(), wait);
    if (auto done = co_await perform(line); !done && !script_.lenient)
      co_return fmt::format("{}.scenario:{}: {}", script_.name, line.number, done.error().text());
  }
  co_return std::string();
}

Task<Result<>> Player::perform(Line line) {
  for (const Verb& verb : verbs()) {
    if (verb.name != line.verb) continue;
    if (line.words.size() < verb.words)
      co_return fail(ErrorCode::kInvalid, fmt::format("{} needs {} words", verb.name, verb.words));
    co_return co_await (this->*verb.perform)(std::move(line.words));
  }
  co_return fail(ErrorCode::kInvalid, line.verb + " is no verb; README.md lists them");
}

Task<Result<>> Player::apply(Words words) {
  auto text = read_text(script_.folder / words[0]);
  if (!text) co_return std::unexpected(std::move(text).error());
  auto documents = yaml::read(*text);
  if (!documents) co_return std::unexpected(std::move(documents).error());
  for (auto& document : *documents)
    SLIPWAY_CO_TRY(co_await apply_one(std::move(document.value.as_object())));
  co_return Result<>();
}

Task<Result<>> Player::apply_one(json::Object manifest) {
  const auto kind = registry_.find(api::gvk_of(manifest));
  if (!kind) co_return fail(ErrorCode::kInvalid, "a manifest is of no known kind");
  stage_.prepare(manifest);
  const api::Gvr gvr{kind->gvk.group, kind->gvk.version, kind->plural};
  const std::string ns = kind->namespaced ? stage_.ns() : std::string();
  const std::string name(api::name_of(manifest));
  auto made = co_await stage_.store().create(gvr, ns, manifest, {});
  if (!made && made.error().code == ErrorCode::kAlreadyExists)
    made = co_await stage_.store().patch(
        gvr, {ns, name}, {.type = store::PatchType::kMerge, .body = std::move(manifest)}, {});
  if (!made) co_return std::unexpected(std::move(made).error());
  deeds_.push_back({made->version, "apply", name});
  co_return Result<>();
}

Task<Result<>> Player::metric(Words words) {
  stage_.set_metric(words[0], words[1], words[2]);
  co_return Result<>();
}

Task<Result<>> Player::ready(Words words) {
  co_await stage_.set_ready(words[0], true);
  co_return Result<>();
}

Task<Result<>> Player::unready(Words words) {
  co_await stage_.set_ready(words[0], false);
  co_return Result<>();
}

Task<Result<>> Player::send(std::string verb, std::string target, store::Patch patch,
                            std::string subresource) {
  auto what = target_of(target);
  if (!what) co_return std::unexpected(std::move(what).error());
  const store::Key key{stage_.ns(), what->name};
  const auto before = co_await stage_.store().get(what->kind, key);
  auto done = co_await stage_.store().patch(what->kind, key, std::move(patch),
                                            {.subresource = subresource});
  if (!done) co_return std::unexpected(std::move(done).error());
  // What changes nothing has the version of whoever made it so.
  if (!before || before->version != done->version)
    deeds_.push_back({done->version, std::move(verb), what->name});
  co_return Result<>();
}

Task<Result<>> Player::send(std::string verb, std::string target, std::string_view merge_patch,
                            std::string subresource) {
  auto body = json::read(merge_patch);
  if (!body) co_return std::unexpected(std::move(body).error());
  co_return co_await send(std::move(verb), std::move(target),
                          {.type = store::PatchType::kMerge, .body = std::move(*body)},
                          std::move(subresource));
}

Task<Result<json::Value>> Player::read(std::string target) {
  auto what = target_of(target);
  if (!what) co_return std::unexpected(std::move(what).error());
  auto item = co_await stage_.store().get(what->kind, {stage_.ns(), what->name});
  if (!item) co_return std::unexpected(std::move(item).error());
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  co_return json::Value(std::move(*document));
}

Task<Result<>> Player::set(Words words) {
  if (words[0] != "image") co_return fail(ErrorCode::kInvalid, "write `set image NAME IMAGE`");
  json::Object replace{
      {"op", "replace"}, {"path", "/spec/template/spec/containers/0/image"}, {"value", words[2]}};
  co_return co_await send(
      "set", words[1], {.type = store::PatchType::kJson, .body = json::Array{std::move(replace)}});
}

Task<Result<>> Player::scale(Words words) {
  co_return co_await send("scale", words[0],
                          fmt::format(R"({{"spec":{{"replicas":{}}}}})", words[1]), "scale");
}

Task<Result<>> Player::promote(Words words) {
  auto rollout = co_await read(words[0]);
  if (!rollout) co_return std::unexpected(std::move(rollout).error());
  if (bool_at(*rollout, {"spec", "paused"}))
    SLIPWAY_CO_TRY(co_await send("promote", words[0], R"({"spec":{"paused":false}})"));
  if (words.size() > 1 && words[1] == "--full") {
    if (json::string_at(*rollout, {"status", "currentPodHash"}) ==
        json::string_at(*rollout, {"status", "stableRS"}))
      co_return Result<>();
    co_return co_await send("promote --full", words[0], R"({"status":{"promoteFull":true}})",
                            "status");
  }
  const std::string patch = promotion(*rollout);
  if (patch.empty()) co_return Result<>();
  const bool skips = patch.contains("currentStepIndex");
  co_return co_await send(skips ? "promote past" : "promote", words[0], patch, "status");
}

Task<Result<>> Player::abort(Words words) {
  co_return co_await send("abort", words[0], R"({"status":{"abort":true}})", "status");
}

Task<Result<>> Player::retry(Words words) {
  if (words[0].starts_with("experiment/"))
    co_return co_await send("retry", words[0], R"({"status":null})");
  co_return co_await send("retry", words[0], R"({"status":{"abort":false}})", "status");
}

Task<Result<>> Player::pause(Words words) {
  co_return co_await send("pause", words[0], R"({"spec":{"paused":true}})");
}

Task<Result<>> Player::restart(Words words) {
  const std::string now = format_time(stage_.loop().clock().now());
  co_return co_await send("restart", words[0],
                          fmt::format(R"({{"spec":{{"restartAt":"{}"}}}})", now));
}

Task<Result<>> Player::terminate(Words words) {
  co_return co_await send("terminate", words[0], R"({"spec":{"terminate":true}})");
}

Task<Result<>> Player::patch(Words words) {
  std::string body;
  for (std::size_t i = 1; i < words.size(); ++i) body += (i > 1 ? " " : "") + words[i];
  auto patch = yaml::read(body);
  if (!patch || patch->size() != 1 || !patch->front().value.is_object())
    co_return fail(ErrorCode::kInvalid, body + " is no patch");
  stage_.prepare(patch->front().value.get_object());
  co_return co_await send(
      "patch", words[0],
      {.type = store::PatchType::kMerge, .body = std::move(patch->front().value)});
}

Task<Result<>> Player::remove(Words words) {
  auto what = target_of(words[0]);
  if (!what) co_return std::unexpected(std::move(what).error());
  store::DeleteOptions options;
  if (words.size() > 1 && words[1] == "--orphan") options.propagation = store::Propagation::kOrphan;
  auto gone = co_await stage_.store().remove(what->kind, {stage_.ns(), what->name}, options);
  if (!gone) co_return std::unexpected(std::move(gone).error());
  deeds_.push_back({gone->item.version, "delete", what->name});
  co_return Result<>();
}

// The template of an earlier set, without what the controller put there.
Task<Result<>> Player::undo(Words words) {
  auto rollout = co_await read(words[0]);
  if (!rollout) co_return std::unexpected(std::move(rollout).error());
  auto sets = co_await owned_sets(stage_, *rollout);
  if (!sets) co_return std::unexpected(std::move(sets).error());
  const json::Value* found = find_revision(*sets, words.size() > 1 ? std::stoi(words[1]) : 0);
  if (!found) co_return fail(ErrorCode::kNotFound, "there is no such revision");
  json::Value pod_template = found->at("spec").at("template");
  json::Object& labels = json::object_at(pod_template, {"metadata", "labels"});
  json::erase(labels, api::argo::kHashLabel);
  if (auto part =
          json::read(api::annotation_of(found->get_object(), api::argo::kEphemeralMetadata)))
    if (const json::Value* injected = json::at(*part, {"labels"});
        injected && injected->is_object())
      for (const auto& [key, value] : injected->get_object()) json::erase(labels, key);
  json::Object replace{
      {"op", "replace"}, {"path", "/spec/template"}, {"value", std::move(pod_template)}};
  co_return co_await send(
      "undo", words[0], {.type = store::PatchType::kJson, .body = json::Array{std::move(replace)}});
}

Task<Result<>> Player::expect(Words words) {
  auto wanted = parse_expectation(words);
  if (!wanted) co_return std::unexpected(std::move(wanted).error());
  const Duration until = stage_.loop().clock().uptime() + stage_.patience();
  while (true) {
    auto found = co_await check(stage_, *wanted);
    if (!found) co_return std::unexpected(std::move(found).error());
    if (found->empty()) co_return Result<>();
    if (stage_.loop().clock().uptime() >= until) co_return fail(ErrorCode::kUnavailable, *found);
    co_await sleep_for(stage_.loop(), kBetweenLooks);
  }
}

}  // namespace slipway::scenario
