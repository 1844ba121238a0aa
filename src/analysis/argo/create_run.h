#pragma once

#include <map>
#include <string>
#include <string_view>

#include "analysis/argo/compile_argo.h"
#include "api/object.h"
#include "store/store.h"

// AnalysisRuns as Experiments and Rollouts make them, so that one want leads to one run whatever
// happens in between.
namespace slipway::analysis {

// Runs under one name, with their numbers; the next one is refused.
inline constexpr int kMaxRunsOfAName = 1000;

// What an owner wants to have.
struct WantedRun {
  std::string ns = {};
  std::string name = {};  // the first to try
  api::OwnerReference owner = {};
  std::map<std::string, std::string> labels = {}, annotations = {};
  // Which try of its owner wants it; the same after a restart, another after a retry. Empty: the
  // owner knows no tries.
  std::string attempt = {};
  api::argo::AnalysisRunSpec spec = {};
};
json::Object run_object(const WantedRun& wanted);

// `name`, then `name.1`, `name.2`, …
std::string run_name(std::string_view name, int collisions);

// Whether a run that is there already is the one that is wanted: of the same owner, and either of
// the same attempt, or (as Argo has it) with the same metrics, arguments and rules and not
// finished. One that was told to end, or is being deleted, is not: nothing comes of it.
bool is_wanted_run(const json::Object& existing, const json::Object& wanted);

struct MadeRun {
  std::string name;
  bool fresh = true;  // false: it was there
};
// Makes the run, under the first free name, or finds it. A call that died after its write finds
// what it made. kInvalid with what the store says against the run, or when all names are taken.
slipway::Task<Result<MadeRun>> create_run(store::Store& store, json::Object wanted);

// The template that a reference names, as the store has it now. kNotFound as template_not_found().
slipway::Task<Result<api::argo::AnalysisTemplateSpec>> load_template(
    store::Store& store, std::string ns, api::argo::AnalysisTemplateRef reference);
// compose_run() with the templates as the store has them now.
slipway::Task<Result<api::argo::AnalysisRunSpec>> compose_from_store(store::Store& store,
                                                                     std::string ns,
                                                                     ArgoRequest request);

}  // namespace slipway::analysis
