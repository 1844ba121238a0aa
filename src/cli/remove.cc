#include "cli/remove.h"

#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <map>
#include <ranges>

#include "cli/exit_code.h"
#include "cli/manifests.h"
#include "cli/output.h"
#include "cli/wanted.h"

namespace slipway::cli {

namespace {

constexpr Duration kPoll = std::chrono::milliseconds(100);

struct Doomed {
  Target target;
  std::string uid = {};  // once its deletion was accepted
};

// What is waited for: whoever put the finalizers there has to take them away.
std::string held_by(const json::Value& object) {
  const json::Value* finalizers = json::at(object, {"metadata", "finalizers"});
  if (!finalizers || !finalizers->is_array() || finalizers->get_array().empty()) return {};
  std::vector<std::string> names;
  for (const json::Value& one : finalizers->get_array())
    names.push_back(one.is_string() ? std::string(one.get_string()) : json::write(one));
  return fmt::format("; its finalizers are still there: {}", fmt::join(names, ", "));
}

class Remover {
 public:
  Remover(Session& session, const RemoveOptions& options, std::string propagation, Duration timeout)
      : session_(session),
        options_(options),
        propagation_(std::move(propagation)),
        timeout_(timeout) {}

  // What the words and flags name.
  Task<int> remove_named() {
    auto targets = co_await find_targets(session_, options_.words, options_.selector);
    if (!targets) co_return complain(targets.error());
    co_return co_await remove_all(std::move(*targets));
  }

  // Last made, first deleted: what is in a namespace goes before it, what is of a kind before the
  // kind.
  Task<int> remove_objects(std::vector<ManifestObject> objects) {
    std::vector<Target> targets;
    int code = kExitDone;
    for (const auto& object : std::views::reverse(objects)) {
      auto target = co_await find_target(object.value);
      if (!target && target.error().code == ErrorCode::kNotFound && options_.ignore_not_found)
        continue;
      if (target) {
        targets.push_back(std::move(*target));
        continue;
      }
      note(fmt::format("{}: {}", object.place(), target.error().text()));
      code = std::max(code, exit_code_of(target.error()));
      if (code == kExitCannotAsk) co_return code;
    }
    if (targets.empty() && code != kExitDone) co_return code;
    co_return std::max(code, co_await remove_all(std::move(targets)));
  }

 private:
  Task<Result<Target>> find_target(json::Value object) {
    auto kind = co_await session_.find_kind(std::string(json::string_at(object, {"apiVersion"})),
                                            std::string(json::string_at(object, {"kind"})));
    if (!kind) co_return std::unexpected(kind.error());
    const std::string name(json::string_at(object, {"metadata", "name"}));
    // Without a name the path would be that of the whole collection.
    if (name.empty())
      co_return fail(ErrorCode::kInvalid,
                     "metadata.name: is missing; delete needs a name to find the object by");
    const std::string ns(json::string_at(object, {"metadata", "namespace"}));
    co_return Target{std::move(*kind), ns.empty() ? session_.ns() : ns, name};
  }

  Task<int> remove_all(std::vector<Target> targets) {
    if (targets.empty()) note("No resources found");
    int code = kExitDone;
    // What was only just listed may be gone by now: others delete, too.
    const bool may_be_gone =
        options_.ignore_not_found || options_.all || !options_.selector.empty();
    std::vector<Doomed> accepted;
    for (auto& target : targets) {
      Doomed one{.target = std::move(target)};
      auto done = co_await remove_one(one);
      if (!done && done.error().code == ErrorCode::kNotFound && may_be_gone) continue;
      if (!done) {
        code = std::max(code, complain(done.error()));
        continue;
      }
      accepted.push_back(std::move(one));
    }
    if (options_.wait && !options_.dry_run)
      for (const auto& one : accepted) code = std::max(code, co_await wait_gone(one));
    co_return code;
  }

  Task<Result<>> remove_one(Doomed& one) {
    json::Object body{
        {"apiVersion", "v1"}, {"kind", "DeleteOptions"}, {"propagationPolicy", propagation_}};
    if (options_.dry_run) body["dryRun"] = json::Array{"All"};
    store::kube::Call call{.method = "DELETE",
                           .target = one.target.kind.path(one.target.ns, one.target.name),
                           .body = json::write(body)};
    call.headers.set("Content-Type", "application/json");
    auto answer = co_await session_.send(std::move(call));
    if (!answer) co_return std::unexpected(answer.error());
    one.uid = json::string_at(*answer, {"metadata", "uid"});
    if (one.uid.empty()) one.uid = json::string_at(*answer, {"details", "uid"});
    const std::string word = one.target.kind.object_name("");
    print_line(fmt::format("{} \"{}\" deleted{}", word.substr(0, word.size() - 1), one.target.name,
                           options_.dry_run ? " (server dry run)" : ""));
    co_return Result<>{};
  }

  // Gone, or another object under the same name.
  Task<int> wait_gone(Doomed one) {
    const Duration deadline = session_.loop().clock().uptime() + timeout_;
    while (true) {
      auto there =
          co_await session_.send({.target = one.target.kind.path(one.target.ns, one.target.name)});
      if (!there && there.error().code == ErrorCode::kNotFound) co_return kExitDone;
      if (!there) co_return complain(there.error());
      if (!one.uid.empty() && json::string_at(*there, {"metadata", "uid"}) != one.uid)
        co_return kExitDone;
      if (session_.loop().clock().uptime() >= deadline)
        co_return complain({.code = ErrorCode::kTimeout,
                            .message = fmt::format("timed out waiting for {} to go{}",
                                                   one.target.kind.object_name(one.target.name),
                                                   held_by(*there))});
      co_await sleep_for(session_.loop(), kPoll);
    }
  }

  Session& session_;
  const RemoveOptions& options_;
  std::string propagation_;
  Duration timeout_;
};

}  // namespace

namespace {

// What is wrong with the words and flags; empty when nothing is.
std::string contradiction(const RemoveOptions& options) {
  if (options.files.empty()) {
    const auto choice = check_choice({.words = options.words,
                                      .selector = options.selector,
                                      .all = options.all,
                                      .must_choose = true});
    return choice ? "" : choice.error().message;
  }
  if (!options.words.empty())
    return "when files or standard input are given with -f, you may not name resources as well";
  if (options.all || !options.selector.empty())
    return "-f names the objects; --all and -l cannot choose among them";
  return {};
}

// Everything the manifests name; complains and gives the exit code when they cannot be used.
std::expected<std::vector<ManifestObject>, int> read_objects(const RemoveOptions& options) {
  auto manifests = read_manifests(options.files);
  if (!manifests) return complain(manifests.error()), std::unexpected(kExitCannotAsk);
  auto objects = objects_in_order(*manifests);
  for (const auto& object : objects) {
    auto checked = check_namespace(object, options.server.ns);
    if (checked) continue;
    note(fmt::format("{}: {}", object.place(), checked.error().message));
    return std::unexpected(kExitFailed);
  }
  return objects;
}

}  // namespace

int remove(const RemoveOptions& options) {
  static const std::map<std::string, std::string> kPropagation{
      {"background", "Background"}, {"foreground", "Foreground"}, {"orphan", "Orphan"}};
  const auto propagation = kPropagation.find(options.cascade);
  auto timeout = parse_duration(options.timeout);
  if (!timeout) return note("slipway: --timeout: " + timeout.error().text()), kExitUsage;
  const std::string problem =
      propagation == kPropagation.end() ? "--cascade is background, foreground or orphan"
      : options.words.empty() && options.files.empty()
          ? "say what to delete: a type and names, or -f FILE; for example: "
            "slipway delete rollout web"
          : contradiction(options);
  if (!problem.empty()) return note("slipway: " + problem), kExitUsage;
  auto objects = read_objects(options);
  if (!objects) return objects.error();
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  Remover remover(**session, options, propagation->second, *timeout);
  return run_to_end((*session)->loop(), options.files.empty()
                                            ? remover.remove_named()
                                            : remover.remove_objects(std::move(*objects)));
}

}  // namespace slipway::cli
