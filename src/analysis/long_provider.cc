#include "analysis/long_provider.h"

#include "analysis/phase.h"

namespace slipway::analysis {

namespace {

void end(api::argo::Measurement& measurement, Time now) {
  if (!measurement.started_at) measurement.started_at = now;
  measurement.finished_at = now;
  measurement.resume_at.reset();
}

}  // namespace

bool is_passing(const Error& error) {
  return error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kTimeout ||
         error.code == ErrorCode::kTooManyRequests;
}

api::argo::Measurement failed_with(const Error& error, api::argo::Measurement measurement,
                                   Time now) {
  measurement.phase = kError;
  measurement.message = error.text();
  end(measurement, now);
  return measurement;
}

api::argo::Measurement terminated(api::argo::Measurement measurement, Time now) {
  measurement.phase = kInconclusive;
  measurement.message = "Metric Terminated";
  end(measurement, now);
  return measurement;
}

}  // namespace slipway::analysis
