#pragma once

#include <memory>

#include "async/loop.h"

namespace slipway {

// The loop of the running program, on Asio. `http/` reaches its io_context through async/asio.h,
// nobody else does.
std::unique_ptr<Loop> make_loop();

}  // namespace slipway
