#pragma once

#include <boost/asio/io_context.hpp>

#include "async/loop.h"

namespace slipway {

// The io_context under a loop made by make_loop(). For http/ alone: Asio is heavy, keep it out of
// headers.
boost::asio::io_context& asio_context(Loop& loop);

}  // namespace slipway
