#include "async/readiness.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include "async/asio.h"

namespace slipway {

namespace asio = boost::asio;

struct Readiness::State {
  // With the concrete executor: any_io_executor would cost an allocation and a virtual call a wait.
  using Descriptor = asio::posix::basic_stream_descriptor<asio::io_context::executor_type>;

  State(asio::io_context& context, int number) : descriptor(context) {
    boost::system::error_code error;
    descriptor.assign(number, error);
    SLIPWAY_ASSERT(!error);
  }

  Descriptor descriptor;
  Work on_readable;
  Work on_writable;
};

Readiness::Readiness(Loop& loop, int descriptor)
    : state_(std::make_shared<State>(asio_context(loop), descriptor)) {}

Readiness::~Readiness() {
  state_->on_readable = nullptr;
  state_->on_writable = nullptr;
  state_->descriptor.release();
}

void Readiness::when_readable(Work work) {
  SLIPWAY_ASSERT(!state_->on_readable);
  state_->on_readable = std::move(work);
  state_->descriptor.async_wait(State::Descriptor::wait_read,
                                [state = state_](const boost::system::error_code&) {
                                  if (Work now = std::exchange(state->on_readable, nullptr)) now();
                                });
}

void Readiness::when_writable(Work work) {
  SLIPWAY_ASSERT(!state_->on_writable);
  state_->on_writable = std::move(work);
  state_->descriptor.async_wait(State::Descriptor::wait_write,
                                [state = state_](const boost::system::error_code&) {
                                  if (Work now = std::exchange(state->on_writable, nullptr)) now();
                                });
}

}  // namespace slipway
