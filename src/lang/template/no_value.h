#pragma once

#include <string>
#include <string_view>

namespace slipway::lang {

// Go's templates print <no value> where their data has nothing of a name. What to say about a
// rendered text that holds it, with what stands around it; empty for one that does not.
std::string no_value_doubt(std::string_view rendered);

}  // namespace slipway::lang
