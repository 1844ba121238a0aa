#pragma once

#include <string>
#include <string_view>

namespace slipway::runtime {

// Where a program is: in a folder of $PATH, or where Debian has such programs. Folders that are
// relative are passed over: what they hold depends on where one stands. Empty when it is nowhere.
std::string find_program(std::string_view name);

}  // namespace slipway::runtime
