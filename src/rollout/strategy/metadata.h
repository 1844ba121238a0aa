#pragma once

#include "rollout/draft.h"

// Labels and annotations that Pods have only while they are canary, stable, preview or active. They
// are in the sets' Pod templates and on the Pods, never in the hash. Pure.
namespace slipway::rollout {

// What Pods of the latest set shall have; null: nothing.
const argo::ExtraMetadata* metadata_of_latest(const Draft& draft);

// Puts them into a new set's template, and notes them in the set's annotations.
void inject_metadata(const argo::ExtraMetadata* metadata, json::Value& pod_template,
                     json::Object& annotations);

// Sets first, so that new Pods have them, then the Pods that are there.
void decide_metadata(Draft& draft);

}  // namespace slipway::rollout
