#include "runtime/shim/client.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "async/gate.h"
#include "runtime/shim/control_dial.h"
#include "runtime/shim/messages.h"
#include "runtime/shim/spawn_shim.h"

namespace slipway::runtime {

namespace {

constexpr Duration kAnswerTimeout = std::chrono::seconds(10);
constexpr Duration kDialAgain = std::chrono::milliseconds(20);
constexpr int kMaxDials = 250;
constexpr Duration kForever = std::chrono::hours(24 * 365);

}  // namespace

struct ShimClient::Impl {
  Impl(Loop& on, Pool& with, std::string where, ShimProgram what)
      : loop(on), pool(with), folder(std::move(where)), program(std::move(what)), gate(on) {}

  Loop& loop;
  Pool& pool;
  std::string folder;
  ShimProgram program;
  Gate gate;
  Changed changed = {};
  bool watching = false;
  std::optional<PodState> last = {};  // told while watching

  void tell(const PodState& state, bool alive) {
    last = state;
    const Changed copy = changed;  // it may replace or forget itself
    if (copy) copy(state, alive);
  }

  static Task<Result<json::Value>> ask(std::shared_ptr<Impl> self, Request request,
                                       Duration timeout);
  static Task<> keep_watching(std::shared_ptr<Impl> self);
  // Until the connection ends.
  static Task<> follow(std::shared_ptr<Impl> self, ControlLine& line);
  static Task<Result<>> start(std::shared_ptr<Impl> self);
};

Task<Result<json::Value>> ShimClient::Impl::ask(std::shared_ptr<Impl> self, Request request,
                                                Duration timeout) {
  Descriptor socket = dial(self->folder);
  for (int tries = 0; !socket && errno == EAGAIN && tries < kMaxDials; ++tries) {
    // More ask at once than wait in the socket's queue.
    co_await sleep_for(self->loop, kDialAgain, self->gate.stop());
    socket = dial(self->folder);
  }
  if (!socket)
    co_return fail(ErrorCode::kUnavailable,
                   std::string("the Pod has no shim that answers: ") + strerror(errno));
  ControlLine line(self->loop, std::move(socket));
  const auto stop = self->gate.stop();
  SLIPWAY_CO_TRY(co_await line.send(write_request(request), kAnswerTimeout, stop));
  auto answer = co_await line.receive(timeout, stop);
  if (!answer) co_return std::unexpected(answer.error());
  co_return parse_answer(*answer);
}

Task<> ShimClient::Impl::follow(std::shared_ptr<Impl> self, ControlLine& line) {
  const auto stop = self->gate.stop();
  const Request request{.kind = Request::Kind::kWatch};
  if (!co_await line.send(write_request(request), kAnswerTimeout, stop)) co_return;
  while (!stop.stop_requested()) {
    const auto received = co_await line.receive(kForever, stop);
    if (!received) co_return;
    const auto answer = parse_answer(*received);
    if (!answer) co_return;
    const auto state = parse_state(*answer);
    if (!state) co_return;
    self->tell(*state, true);
  }
}

Task<> ShimClient::Impl::keep_watching(std::shared_ptr<Impl> self) {
  const auto stop = self->gate.stop();
  while (!stop.stop_requested()) {
    if (Descriptor socket = dial(self->folder)) {
      ControlLine line(self->loop, std::move(socket));
      co_await follow(self, line);
      if (stop.stop_requested()) break;
    }
    // No connection: either it has gone, or it is about to go, or it was too busy to accept.
    const auto [state, alive] = co_await blocking(self->loop, self->pool, [folder = self->folder] {
      auto read = read_state(folder);
      const bool lives = read && is_alive(read->shim);
      return std::pair(std::move(read), lives);
    });
    if (alive) {
      co_await sleep_for(self->loop, kDialAgain, stop);
      continue;
    }
    if (!state || !state->ended)
      co_await blocking(self->loop, self->pool, [folder = self->folder] { sweep_after(folder); });
    self->watching = false;
    if (!stop.stop_requested()) self->tell(state.value_or(PodState{}), false);
    co_return;
  }
  self->watching = false;
}

Task<Result<>> ShimClient::Impl::start(std::shared_ptr<Impl> self) {
  co_return co_await blocking(
      self->loop, self->pool,
      [folder = self->folder, program = self->program] { return spawn_shim(folder, program); });
}

ShimClient::ShimClient(Loop& loop, Pool& pool, std::string folder, ShimProgram program)
    : impl_(std::make_shared<Impl>(loop, pool, std::move(folder), std::move(program))) {}

ShimClient::~ShimClient() = default;

Task<Result<>> ShimClient::start() { return Impl::start(impl_); }

namespace {

Task<Result<>> without_value(Task<Result<json::Value>> asking) {
  auto answer = co_await std::move(asking);
  if (!answer) co_return std::unexpected(answer.error());
  co_return Result<>();
}

Task<Result<ExecAnswer>> as_exec_answer(Task<Result<json::Value>> asking) {
  auto answer = co_await std::move(asking);
  if (!answer) co_return std::unexpected(answer.error());
  co_return parse_exec_answer(*answer);
}

}  // namespace

Task<Result<>> ShimClient::stop(Duration grace) {
  return without_value(
      Impl::ask(impl_, Request{.kind = Request::Kind::kStop, .time = grace}, kAnswerTimeout));
}

Task<Result<>> ShimClient::kill_container(std::string name, Duration grace, std::string message) {
  return without_value(Impl::ask(impl_,
                                 Request{.kind = Request::Kind::kKill,
                                         .container = std::move(name),
                                         .time = grace,
                                         .message = std::move(message)},
                                 kAnswerTimeout));
}

Task<Result<>> ShimClient::replace(std::string name, Duration grace, std::string message) {
  return without_value(Impl::ask(impl_,
                                 Request{.kind = Request::Kind::kReplace,
                                         .container = std::move(name),
                                         .time = grace,
                                         .message = std::move(message)},
                                 kAnswerTimeout));
}

Task<Result<>> ShimClient::mark_started(std::string name, std::int32_t run) {
  return without_value(Impl::ask(
      impl_, Request{.kind = Request::Kind::kStarted, .container = std::move(name), .run = run},
      kAnswerTimeout));
}

Task<Result<ExecAnswer>> ShimClient::exec(std::string name, std::vector<std::string> argv,
                                          Duration timeout) {
  return as_exec_answer(Impl::ask(impl_,
                                  Request{.kind = Request::Kind::kExec,
                                          .container = std::move(name),
                                          .argv = std::move(argv),
                                          .time = timeout},
                                  timeout + kAnswerTimeout));
}

void ShimClient::watch(Changed changed) {
  impl_->changed = std::move(changed);
  if (std::exchange(impl_->watching, true)) {
    if (const auto state = impl_->last) impl_->tell(*state, true);
    return;
  }
  impl_->last.reset();
  impl_->gate.spawn(Impl::keep_watching(impl_));
}

Task<> ShimClient::close() {
  impl_->changed = nullptr;
  impl_->gate.request_stop();
  return impl_->gate.close();
}

}  // namespace slipway::runtime
