#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compiled.h"
#include "analysis/history.h"
#include "cli/manifests.h"

// Which analyses files ask for, whatever their dialect. Pure.
namespace slipway::cli {

struct PlannedRun {
  std::string file = {};
  int line = 1;
  std::string ns = "default";
  std::vector<std::string> warnings = {};  // file:line: field: warning: …
  analysis::Compiled compiled = {};
};
struct AnalysisPlan {
  std::vector<PlannedRun> runs = {};
  std::vector<json::Object> secrets = {};  // of the files; one without namespace is in every one
  std::vector<std::string> notes = {};     // about what was passed over
};

struct PlanOptions {
  std::map<std::string, std::string> args = {};
  std::map<std::string, std::string> recorded_args = {};  // argo: of a run, where none are given
  std::string ns = "default";                             // of what names none
  std::optional<std::string> variant = {};                // pipecd
  const analysis::History* history = nullptr;             // pipecd
  bool pipecd_compat = false;
  bool asks_nobody = false;  // where sources are does not matter
  Time now = {};
};

// AnalysisRuns, Canaries, PipeCD applications and Kayenta configurations each are analyses, and
// AnalysisTemplates when there is nothing of these, those that no other refers to. What they refer
// to is looked for in all of `manifests`. Errors name file, line and field; kNotFound when the
// files ask for no analysis.
Result<AnalysisPlan> plan_analysis(const std::vector<Manifest>& manifests,
                                   const PlanOptions& options);

// k=v of the command line. kBadRequest names what is none.
Result<std::map<std::string, std::string>> parse_args(const std::vector<std::string>& words);

// An error about a document, with the file and line of the field it is about.
Error placed(Error error, const std::string& file, const yaml::Document& document,
             const std::string& root = {});

}  // namespace slipway::cli
