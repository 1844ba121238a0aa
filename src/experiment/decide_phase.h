#pragma once

#include "experiment/rules.h"

// What the statuses of templates and analyses make of the whole. Pure.
namespace slipway::experiment {

// Sets phase, message and availableAt of `status`, whose templates and analyses are those of now.
void decide_phase(const ExperimentSpec& spec, ExperimentStatus& status, Time now);

// Sets the condition Progressing and takes InvalidSpec away.
void decide_conditions(const std::string& name, const ExperimentSpec& spec,
                       const ExperimentStatus& before, ExperimentStatus& status, Time now);

// One condition, unless it says that already; with `refresh` it gets a new date all the same. The
// time of its last transition stays while its status does.
void set_condition(ExperimentStatus& status, api::argo::Condition condition, Time now,
                   bool refresh = false);

}  // namespace slipway::experiment
