#pragma once

#include "runtime/workloads/deployments/deployment_view.h"

// What a Deployment says of itself.
namespace slipway::runtime {

// The counts and the Available condition, from the status so far (deployment.status).
json::Object count_deployment(const DeploymentView& deployment, const std::vector<SetView>& sets,
                              Time now);
// All Pods are of the current template and available, and no others are there.
bool is_complete(const DeploymentView& deployment, const json::Object& status);

// The Progressing condition of an update under way: it moved, ended, or took too long. And what
// went wrong with Pods. `name`: of the new set, empty when there is none.
void judge_progress(const DeploymentView& deployment, const std::vector<SetView>& sets,
                    const std::string& name, json::Object& status, Time now);
// When to look whether it took too long.
std::optional<Duration> until_deadline(const DeploymentView& deployment, const json::Object& status,
                                       Time now);

// The Progressing condition of one that was just paused or resumed: time spent paused does not
// count.
void judge_pause(const DeploymentView& deployment, json::Object& status, Time now);
void set_progressing(json::Object& status, std::string_view value, std::string_view reason,
                     std::string message, Time now);

}  // namespace slipway::runtime
