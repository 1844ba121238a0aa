#include "async/interrupt.h"

#include <boost/asio/signal_set.hpp>
#include <csignal>

#include "async/asio.h"

namespace slipway {

namespace {

class SignalSet : public Interrupts {
 public:
  SignalSet(Loop& loop, std::move_only_function<void(int)> work)
      : signals_(asio_context(loop), SIGINT, SIGTERM), work_(std::move(work)) {
    std::signal(SIGPIPE, SIG_IGN);
    // A closed terminal asks to stop, too, unless it was said to be no matter (nohup).
    struct sigaction hangup = {};
    if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
      signals_.add(SIGHUP);
    wait();
  }
  ~SignalSet() override { signals_.cancel(); }

 private:
  void wait() {
    signals_.async_wait([this](const boost::system::error_code& problem, int signal) {
      if (problem) return;
      wait();
      work_(signal);
    });
  }

  boost::asio::signal_set signals_;
  std::move_only_function<void(int)> work_;
};

}  // namespace

std::unique_ptr<Interrupts> on_interrupt(Loop& loop,
                                         std::move_only_function<void(int signal)> work) {
  return std::make_unique<SignalSet>(loop, std::move(work));
}

}  // namespace slipway
