#pragma once

#include "base/error.h"
#include "judge/sequential/plan.h"

namespace slipway::judge {

// The evidence with what is missing taken out: NaN points, for signed-rank together with their
// partner. kInvalid when it does not fit the engine, with the field as `where`.
Result<Evidence> clean_evidence(Engine engine, const Evidence& evidence);

}  // namespace slipway::judge
