#pragma once

#include <optional>
#include <string_view>

#include "api/kinds/argo_experiment.h"

// What can be said of an Experiment from its spec and status alone. Pure.
namespace slipway::experiment {

using api::argo::Experiment;
using api::argo::ExperimentAnalysisRunStatus;
using api::argo::ExperimentSpec;
using api::argo::ExperimentStatus;
using api::argo::TemplateSpec;
using api::argo::TemplateStatus;

inline constexpr std::string_view kProgressing = "Progressing";
inline constexpr std::int32_t kProgressDeadlineSeconds = 600;
inline constexpr std::int32_t kScaleDownDelaySeconds = 30;

// Successful, Failed or Error.
bool is_template_completed(std::string_view status);
// Successful < Running < Progressing < Error < Failed.
bool is_template_worse(std::string_view status, std::string_view than);

const TemplateStatus* status_of(const ExperimentStatus& status, std::string_view template_name);
const ExperimentAnalysisRunStatus* run_status_of(const ExperimentStatus& status,
                                                 std::string_view analysis);

bool has_required(const ExperimentSpec& spec);
// There are required analyses, and all of them have succeeded.
bool required_successful(const ExperimentSpec& spec, const ExperimentStatus& status);

// Whether it is told to end, has ended, or something of it has that ends it.
bool is_terminating(const ExperimentSpec& spec, const ExperimentStatus& status);

// When its time is over; none while it has not begun, without duration, and with one that cannot be
// read.
std::optional<Time> end_of(const ExperimentSpec& spec, const ExperimentStatus& status);
bool has_passed(const ExperimentSpec& spec, const ExperimentStatus& status, Time now);

// What its ReplicaSet should have now.
std::int32_t desired_replicas(const ExperimentSpec& spec, const ExperimentStatus& status,
                              const TemplateSpec& variant);

Duration progress_deadline(const ExperimentSpec& spec);

}  // namespace slipway::experiment
