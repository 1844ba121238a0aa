#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

// Queries of Flagger's MetricTemplates: a Go template whose variables are functions.
namespace slipway::lang {

// `data` holds name, namespace, target, service, ingress, route, interval (texts) and variables (an
// object of texts). What is missing is empty; service, ingress and route are then the target.
// {{ . }} is nothing; a variable that is not there is an error.
// Errors: kInvalid, "template parsing failed: …" or "template execution failed: …" with Go's text.
Result<std::string> render_flagger(std::string_view text, const json::Object& data);

}  // namespace slipway::lang
