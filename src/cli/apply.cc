#include "cli/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/argo/lint_argo_metrics.h"
#include "api/lint/lint.h"
#include "api/object.h"
#include "cli/difference.h"
#include "cli/exit_code.h"
#include "cli/kept_selector.h"
#include "cli/manifests.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

// A CRD's kinds are served a moment after it was accepted, not at once.
constexpr Duration kKindWait = std::chrono::seconds(10);
constexpr Duration kKindPoll = std::chrono::milliseconds(50);

// Every error of every manifest, so that they can be mended in one go. Kinds we do not know are the
// server's business.
int check(const std::vector<Manifest>& manifests) {
  const auto registry = api::Registry::make();
  int errors = 0;
  for (const auto& manifest : manifests) {
    auto problems = api::lint(manifest.document, *registry);
    std::ranges::move(analysis::lint_argo_metrics(manifest.document), std::back_inserter(problems));
    for (const auto& problem : problems) {
      if (problem.severity != api::Problem::Severity::kError) continue;
      ++errors;
      note(fmt::format("{}:{}: {}{}{}", manifest.file, problem.line, problem.field,
                       problem.field.empty() ? "" : ": ", problem.message));
    }
  }
  return errors;
}

int check_namespaces(const std::vector<ManifestObject>& objects, const std::string& ns) {
  int errors = 0;
  for (const auto& object : objects) {
    auto checked = check_namespace(object, ns);
    if (checked) continue;
    ++errors;
    note(fmt::format("{}: {}", object.place(), checked.error().message));
  }
  return errors;
}

class Applier {
 public:
  Applier(Session& session, const ApplyOptions& options, Format format)
      : session_(session), options_(options), format_(format) {}

  Task<int> apply_all(std::vector<ManifestObject> objects) {
    int code = kExitDone;
    for (const auto& object : objects) {
      auto done = co_await apply_one(object.value);
      if (done) continue;
      note(fmt::format("{}: {}", object.place(), done.error().text()));
      code = std::max(code, exit_code_of(done.error()));
      if (done.error().code == ErrorCode::kConflict && !done.error().causes.empty())
        note("  another manager owns these fields; take them over with --force-conflicts");
      // The next would fare no better.
      if (code == kExitCannotAsk || done.error().code == ErrorCode::kUnauthorized) break;
    }
    if (format_ == Format::kJson || format_ == Format::kYaml) print_results();
    co_return code;
  }

 private:
  Task<Result<ServedKind>> kind_of(std::string api_version, std::string kind) {
    for (Duration waited{}; true; waited += kKindPoll) {
      auto served = co_await session_.find_kind(api_version, kind);
      if (served || !crd_applied_ || waited >= kKindWait) co_return served;
      session_.forget_kinds();
      co_await sleep_for(session_.loop(), kKindPoll);
    }
  }

  Task<Result<>> apply_one(json::Value object) {
    const std::string kind(json::string_at(object, {"kind"}));
    auto served = co_await kind_of(std::string(json::string_at(object, {"apiVersion"})), kind);
    if (!served) co_return std::unexpected(served.error());
    const std::string name(json::string_at(object, {"metadata", "name"}));
    if (name.empty())
      co_return fail(ErrorCode::kInvalid,
                     "metadata.name: is missing; apply needs a name to find the object by");
    std::string ns(json::string_at(object, {"metadata", "namespace"}));
    if (ns.empty()) ns = session_.ns();

    // A Rollout may take a Service's selector between the two requests, hence once more.
    auto done = co_await write(object, *served, ns, name);
    if (!done && kind == "Service" && done.error().code == ErrorCode::kConflict)
      done = co_await write(object, *served, ns, name);
    if (!done) co_return std::unexpected(done.error());
    if (kind == "CustomResourceDefinition") {
      crd_applied_ = true;
      session_.forget_kinds();
    }
    co_return Result<>{};
  }

  Task<Result<>> write(json::Value object, ServedKind served, std::string ns, std::string name) {
    auto before = co_await session_.send({.target = served.path(ns, name)});
    if (!before && before.error().code != ErrorCode::kNotFound)
      co_return std::unexpected(before.error());
    if (before) leave_selector_to_rollout(object, *before);
    const std::string query =
        http::format_query({{"fieldManager", options_.manager},
                            {"force", options_.force_conflicts ? "true" : "false"},
                            {"fieldValidation", "Strict"}});
    store::kube::Call call{.method = "PATCH",
                           .target = fmt::format("{}?{}{}", served.path(ns, name), query,
                                                 options_.dry_run ? "&dryRun=All" : ""),
                           .body = json::write(object)};
    call.headers.set("Content-Type", "application/apply-patch+yaml");
    auto after = co_await session_.send(std::move(call));
    if (!after) co_return std::unexpected(after.error());
    report(served.object_name(name), before ? &*before : nullptr, std::move(*after));
    co_return Result<>{};
  }

  void report(const std::string& name, const json::Value* before, json::Value after) {
    const std::string_view dry = options_.dry_run ? " (server dry run)" : "";
    if (format_ == Format::kName) print_line(name);
    if (format_ == Format::kTable || format_ == Format::kWide) {
      const auto changed = before ? differences(*before, after) : std::vector<std::string>{};
      const auto* what = !before ? "created" : changed.empty() ? "unchanged" : "configured";
      print_line(fmt::format("{} {}{}", name, what, dry));
      for (const auto& line : changed) print_line(fmt::format("  {}", line));
    }
    hide_managed_fields(after);
    results_.push_back(std::move(after));
  }

  void print_results() {
    if (results_.size() == 1) return print_value(results_.front(), format_);
    print_value(json::Object{{"apiVersion", "v1"},
                             {"kind", "List"},
                             {"metadata", json::Object{}},
                             {"items", results_}},
                format_);
  }

  Session& session_;
  const ApplyOptions& options_;
  Format format_;
  json::Array results_;
  bool crd_applied_ = false;
};

}  // namespace

int apply(const ApplyOptions& options) {
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  auto manifests = read_manifests(options.files);
  if (!manifests) return complain(manifests.error()), kExitCannotAsk;
  auto objects = objects_in_order(*manifests);
  if (objects.empty()) return note("slipway: no objects passed to apply"), kExitFailed;
  const int errors = check(*manifests) + check_namespaces(objects, options.server.ns);
  if (errors > 0) {
    note(fmt::format("slipway: {} mistake{}; nothing was applied", errors, errors == 1 ? "" : "s"));
    return kExitFailed;
  }
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  Applier applier(**session, options, *format);
  return run_to_end((*session)->loop(), applier.apply_all(std::move(objects)));
}

}  // namespace slipway::cli
