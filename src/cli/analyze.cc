#include "cli/analyze.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "analysis/history.h"
#include "analysis/pipecd/compile_pipecd.h"
#include "analysis/replay.h"
#include "analysis/report/evidence.h"
#include "analysis/report/page.h"
#include "analysis/report/plain_text.h"
#include "async/real_loop.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/analyze_fields.h"
#include "cli/analyze_foreground.h"
#include "cli/analyze_output.h"
#include "cli/batch.h"
#include "cli/exit_code.h"
#include "cli/folder_lock.h"
#include "cli/output.h"
#include "cli/pipecd_templates.h"

namespace slipway::cli {

namespace {

using api::argo::AnalysisRun;

constexpr unsigned kReportMode = 0644;

bool stderr_is_live() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && term && std::string_view(term) != "dumb";
}

bool stderr_colours() {
  const char* none = std::getenv("NO_COLOR");
  return stderr_is_live() && !(none && *none);
}

class Analysis {
 public:
  explicit Analysis(const AnalyzeOptions& options) : options_(options) {}

  Result<AnalysisOutcome> run() {
    SLIPWAY_TRY(check_folder(options_.report, "--report"));
    SLIPWAY_TRY(check_folder(options_.history, "--history"));
    if (!options_.replay.empty()) SLIPWAY_TRY(read_recorded());
    if (!options_.files.empty()) SLIPWAY_TRY(make_plan());
    auto outcome = options_.replay.empty() ? measure() : judge_again();
    if (!outcome) return outcome;
    if (!options_.report.empty())
      expect(
          file::write(options_.report, analysis::report::report_page(outcome->runs), kReportMode));
    if (options_.replay.empty()) expect(keep_history(*outcome));
    return outcome;
  }

  // What could not be written. The verdict stands without it.
  const std::vector<Error>& unwritten() const { return unwritten_; }

 private:
  void expect(Result<> written) {
    if (!written) unwritten_.push_back(std::move(written).error());
  }

  // An hour of measuring must not end in a file that cannot be written.
  static Result<> check_folder(const std::string& path, std::string option) {
    if (path.empty()) return {};
    const auto slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
    if (!folder.empty() && !file::is_folder(folder))
      return fail(ErrorCode::kNotFound,
                  fmt::format("the folder {} is not there; make it first", folder),
                  std::move(option));
    return {};
  }

  // The configuration of providers comes first, so that it counts before one among the files.
  Result<std::vector<Manifest>> read_all() const {
    auto files = options_.files;
    if (options_.providers.empty()) return read_manifests(files);
    files.insert(files.begin(), options_.providers);
    auto manifests = read_manifests(files);
    const auto is_meant = [this](const Manifest& manifest) {
      return manifest.file == options_.providers && analysis::is_piped_config(manifest.document);
    };
    if (manifests && std::ranges::none_of(*manifests, is_meant))
      return fail(ErrorCode::kInvalid,
                  "is no piped configuration; write one of apiVersion pipecd.dev/v1beta1, kind "
                  "Piped, with spec.analysisProviders",
                  options_.providers);
    return manifests;
  }

  Result<> make_plan() {
    auto args = parse_args(options_.args);
    if (!args) return std::unexpected(std::move(args).error());
    auto manifests = read_all();
    if (!manifests) return std::unexpected(std::move(manifests).error());
    SLIPWAY_TRY(add_pipecd_templates(*manifests));
    auto doubts = check_fields(*manifests);
    if (!doubts) return std::unexpected(std::move(doubts).error());
    for (const auto& doubt : *doubts) note(fmt::format("slipway: {}", doubt));
    if (!options_.history.empty()) {
      auto history = analysis::read_history(options_.history);
      if (!history) return std::unexpected(std::move(history).error());
      history_ = std::move(*history);
    }
    PlanOptions wanted{.args = std::move(*args),
                       .recorded_args = recorded_args(),
                       .history = options_.history.empty() ? nullptr : &history_,
                       .pipecd_compat = options_.pipecd_compat,
                       .asks_nobody = !options_.replay.empty(),
                       .now = make_loop()->clock().now()};
    if (!options_.variant.empty()) wanted.variant = options_.variant;
    if (!options_.server.ns.empty()) wanted.ns = options_.server.ns;
    auto plan = plan_analysis(*manifests, wanted);
    if (!plan) return std::unexpected(std::move(plan).error());
    plan_ = std::move(*plan);
    for (const auto& text : plan_.notes) note(fmt::format("slipway: {}", text));
    for (const auto& planned : plan_.runs)
      for (const auto& warning : planned.warnings) note(fmt::format("slipway: {}", warning));
    return {};
  }

  Result<AnalysisOutcome> measure() {
    log::set_level(log::Level::kError);
    LiveScreen screen(stderr);
    auto finished = run_in_foreground(plan_, {.screen = stderr_is_live() ? &screen : nullptr,
                                              .colour = stderr_colours(),
                                              .server = options_.server});
    if (!finished) return std::unexpected(std::move(finished).error());
    return AnalysisOutcome{.runs = std::move(finished->runs), .interrupted = finished->interrupted};
  }

  // The configuration that a recorded run is judged under: of one alone, the one there is.
  Result<const api::argo::AnalysisRunSpec*> spec_for(const AnalysisRun& recorded,
                                                     std::size_t recorded_runs) const {
    if (options_.files.empty()) return &recorded.spec;
    if (recorded_runs == 1 && plan_.runs.size() == 1) return &plan_.runs.front().compiled.spec;
    const std::string name = analysis::report::name_of(recorded);
    for (const auto& planned : plan_.runs)
      if (planned.compiled.name == name) return &planned.compiled.spec;
    return fail(ErrorCode::kNotFound,
                fmt::format("the files of -f ask for no analysis named \"{}\"", name), "--replay");
  }

  Result<> read_recorded() {
    auto text = file::read(options_.replay == "-" ? "/dev/stdin" : options_.replay);
    if (!text) return std::unexpected(std::move(text).error());
    auto recorded = read_runs(*text);
    if (!recorded) {
      auto error = std::move(recorded).error();
      error.where = error.where.empty() ? options_.replay : options_.replay + ": " + error.where;
      return std::unexpected(std::move(error));
    }
    recorded_ = std::move(*recorded);
    return {};
  }

  // Those that all recorded runs agree on.
  std::map<std::string, std::string> recorded_args() const {
    std::map<std::string, std::string> args;
    std::set<std::string> disputed;
    for (const auto& run : recorded_)
      for (const auto& argument : run.spec.args)
        if (argument.value &&
            args.try_emplace(argument.name, *argument.value).first->second != *argument.value)
          disputed.insert(argument.name);
    for (const auto& name : disputed) args.erase(name);
    return args;
  }

  Result<AnalysisOutcome> judge_again() {
    AnalysisOutcome outcome;
    for (auto& run : recorded_) {
      auto under = spec_for(run, recorded_.size());
      if (!under) return std::unexpected(std::move(under).error());
      auto status = analysis::replay(run, **under);
      if (!status) {
        auto error = std::move(status).error();
        error.where = fmt::format("{}: {}", options_.replay, analysis::report::name_of(run));
        return std::unexpected(std::move(error));
      }
      api::argo::AnalysisRunSpec spec = **under;
      run.spec = std::move(spec);
      run.status = std::move(*status);
      outcome.runs.push_back(std::move(run));
    }
    return outcome;
  }

  Result<> keep_history(const AnalysisOutcome& outcome) {
    if (options_.history.empty() || outcome.interrupted) return {};
    // Others may have added to it while we measured, or be about to.
    const FolderLock lock(options_.history);
    auto history = analysis::read_history(options_.history);
    if (!history) return std::unexpected(std::move(history).error());
    bool changed = false;
    for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
      const auto& compiled = plan_.runs[i].compiled;
      if (compiled.application.empty()) continue;
      analysis::add(*history, compiled.application, compiled.stage, outcome.runs[i]);
      changed = true;
    }
    return changed ? analysis::write_history(options_.history, *history) : Result<>();
  }

  const AnalyzeOptions& options_;
  analysis::History history_;
  std::vector<AnalysisRun> recorded_;  // of --replay
  AnalysisPlan plan_;
  std::vector<Error> unwritten_;
};

void show(const AnalysisOutcome& outcome) {
  Runs runs;
  for (const auto& run : outcome.runs) runs.insert_or_assign(analysis::report::name_of(run), run);
  print(board_of(runs, {.colour = colours(), .columns = columns_of(stdout)}));
  print_line(verdict_of(outcome));
}

}  // namespace

int analyze(const AnalyzeOptions& options) {
  const auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  if (options.files.empty() && options.replay.empty()) {
    note(
        "slipway: say what to analyse with -f, or what to judge again with --replay; for example: "
        "slipway analyze -f analysis.yaml --arg service=web");
    return kExitUsage;
  }
  Analysis analysis(options);
  const auto outcome = analysis.run();
  if (!outcome) return refuse(outcome.error(), *format);
  if (*format == Format::kJson || *format == Format::kYaml)
    print_value(to_json(*outcome), *format);
  else
    show(*outcome);
  for (const Error& error : analysis.unwritten()) complain(error);
  const int code = exit_code_of(*outcome);
  return code == kExitDone && !analysis.unwritten().empty() ? kExitCannotAsk : code;
}

}  // namespace slipway::cli
