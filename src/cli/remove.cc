#include "cli/remove.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/exit_code.h"
#include "cli/get.h"
#include "cli/manifests.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

constexpr Duration kPoll = std::chrono::milliseconds(100);

struct Doomed {
  ServedKind kind;
  std::string ns;
  std::string name;
  std::string uid = {};  // once its deletion was accepted
};

class Remover {
 public:
  Remover(Session& session, const RemoveOptions& options, std::string propagation, Duration timeout)
      : session_(session),
        options_(options),
        propagation_(std::move(propagation)),
        timeout_(timeout) {}

  Task<int> run() {
    auto doomed = co_await (options_.files.empty() ? find_named() : find_in_files());
    if (!doomed) co_return complain(doomed.error());
    if (doomed->empty()) note("No resources found");
    int code = kExitDone;
    std::vector<Doomed> accepted;
    for (auto& one : *doomed) {
      auto done = co_await remove_one(one);
      if (!done && done.error().code == ErrorCode::kNotFound && options_.ignore_not_found) continue;
      if (!done) {
        code = std::max(code, complain(done.error()));
        continue;
      }
      accepted.push_back(one);
    }
    if (options_.wait && !options_.dry_run)
      for (const auto& one : accepted) code = std::max(code, co_await wait_gone(one));
    co_return code;
  }

 private:
  Task<Result<std::vector<Doomed>>> find_named() {
    auto wanted = co_await find_wanted(session_, options_.words);
    if (!wanted) co_return std::unexpected(wanted.error());
    std::vector<Doomed> doomed;
    for (const auto& one : *wanted) {
      for (const auto& name : one.names) doomed.push_back({one.kind, session_.ns(), name});
      if (!one.names.empty()) continue;
      if (!options_.all && options_.selector.empty())
        co_return fail(ErrorCode::kInvalid, "say which: names, a label selector with -l, or --all");
      std::string target = one.kind.path(session_.ns());
      if (!options_.selector.empty())
        target += "?" + http::format_query({{"labelSelector", options_.selector}});
      auto list = co_await session_.send({.target = target});
      if (!list) co_return std::unexpected(list.error());
      for (const auto& item : list->at("items").get_array())
        doomed.push_back(
            {one.kind, session_.ns(), std::string(json::string_at(item, {"metadata", "name"}))});
    }
    co_return doomed;
  }

  Task<Result<std::vector<Doomed>>> find_in_files() {
    auto manifests = read_manifests(options_.files);
    if (!manifests) co_return std::unexpected(manifests.error());
    std::vector<Doomed> doomed;
    for (const auto& manifest : *manifests) {
      const json::Value& object = manifest.document.value;
      auto kind = co_await session_.find_kind(std::string(json::string_at(object, {"apiVersion"})),
                                              std::string(json::string_at(object, {"kind"})));
      if (!kind) co_return std::unexpected(kind.error());
      std::string ns(json::string_at(object, {"metadata", "namespace"}));
      doomed.push_back({std::move(*kind), ns.empty() ? session_.ns() : ns,
                        std::string(json::string_at(object, {"metadata", "name"}))});
    }
    co_return doomed;
  }

  Task<Result<>> remove_one(Doomed& one) {
    json::Object body{
        {"apiVersion", "v1"}, {"kind", "DeleteOptions"}, {"propagationPolicy", propagation_}};
    if (options_.dry_run) body["dryRun"] = json::Array{"All"};
    store::kube::Call call{
        .method = "DELETE", .target = one.kind.path(one.ns, one.name), .body = json::write(body)};
    call.headers.set("Content-Type", "application/json");
    auto answer = co_await session_.send(std::move(call));
    if (!answer) co_return std::unexpected(answer.error());
    one.uid = json::string_at(*answer, {"metadata", "uid"});
    if (one.uid.empty()) one.uid = json::string_at(*answer, {"details", "uid"});
    const std::string word = one.kind.object_name("");
    print_line(fmt::format("{} \"{}\" deleted{}", word.substr(0, word.size() - 1), one.name,
                           options_.dry_run ? " (server dry run)" : ""));
    co_return Result<>{};
  }

  // Gone, or another object under the same name.
  Task<int> wait_gone(Doomed one) {
    const Duration deadline = session_.loop().clock().uptime() + timeout_;
    while (true) {
      auto there = co_await session_.send({.target = one.kind.path(one.ns, one.name)});
      if (!there && there.error().code == ErrorCode::kNotFound) co_return kExitDone;
      if (!there) co_return complain(there.error());
      if (!one.uid.empty() && json::string_at(*there, {"metadata", "uid"}) != one.uid)
        co_return kExitDone;
      if (session_.loop().clock().uptime() >= deadline)
        co_return complain({.code = ErrorCode::kTimeout,
                            .message = fmt::format("timed out waiting for {} to go",
                                                   one.kind.object_name(one.name))});
      co_await sleep_for(session_.loop(), kPoll);
    }
  }

  Session& session_;
  const RemoveOptions& options_;
  std::string propagation_;
  Duration timeout_;
};

}  // namespace

int remove(const RemoveOptions& options) {
  static const std::map<std::string, std::string> kPropagation{
      {"background", "Background"}, {"foreground", "Foreground"}, {"orphan", "Orphan"}};
  const auto propagation = kPropagation.find(options.cascade);
  auto timeout = parse_duration(options.timeout);
  if (!timeout) return complain(timeout.error()), kExitUsage;
  if (propagation == kPropagation.end() || (options.words.empty() && options.files.empty())) {
    note(propagation == kPropagation.end()
             ? "slipway: --cascade is background, foreground or orphan"
             : "slipway: say what to delete: a type and names, or -f FILE");
    return kExitUsage;
  }
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  Remover remover(**session, options, propagation->second, *timeout);
  return run_to_end((*session)->loop(), remover.run());
}

}  // namespace slipway::cli
