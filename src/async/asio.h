#pragma once

#include <boost/asio/io_context.hpp>

#include "async/loop.h"

namespace slipway {

// The io_context under a loop made by make_loop(). Asio is heavy: most want readiness.h instead,
// and no header includes this.
boost::asio::io_context& asio_context(Loop& loop);

}  // namespace slipway
