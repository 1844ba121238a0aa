#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace slipway::runtime {

// A Pod template as Kubernetes writes it down before it hashes it: every field of every Go struct
// by name and type, those that are absent, too. So it is one of the release that
// pod_template.table was made from; a field more gives other hashes.
//
// The template is one as stored: with its defaults, quantities in canonical form. What has a wrong
// type counts as absent.
std::string dump_template(const json::Value& pod_template);

// The fields of a resource.Quantity, in braces. `text` is canonical.
std::string dump_quantity(std::string_view text);

}  // namespace slipway::runtime
