#include "http/wire.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace slipway::http {

namespace {

using namespace std::chrono_literals;
using State = Io::State;

constexpr std::size_t kMaxAhead = 64 * 1024;    // received while nobody reads
constexpr std::size_t kMaxKeptWhenIdle = 1024;  // capacity that an idle connection keeps
constexpr std::size_t kMaxGather = 64;          // pieces in one system call
constexpr std::size_t kTlsRecord = 16 * 1024;   // OpenSSL writes one at a time
constexpr std::size_t kMaxTurn = 256 * 1024;    // written before others get their turn
constexpr std::size_t kMaxDiscarded = 8 * 1024 * 1024;
constexpr Duration kFinishTimeout = 2s;

bool has_bytes(std::span<const std::string_view> pieces) {
  return !std::ranges::all_of(pieces, &std::string_view::empty);
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

struct Wire::Wait {
  Wire& wire;
  Direction direction;
  bool await_ready() const noexcept { return wire.aborted_; }
  void await_suspend(std::coroutine_handle<> caller) const {
    wire.waiting_ = caller;
    wire.waiting_for_ = direction;
    direction == Direction::kRead ? wire.arm_read() : wire.arm_write();
  }
  void await_resume() const noexcept {}
};

Wire::Wire(Loop& loop, int socket, Scratch scratch, Duration write_timeout)
    : loop_(loop),
      socket_(socket),
      scratch_(scratch),
      write_timeout_(write_timeout),
      readiness_(std::make_unique<Readiness>(loop, socket)) {}

Wire::~Wire() {
  SLIPWAY_ASSERT(!waiting_);
  readiness_.reset();
  close(socket_);
}

Task<Wire::Outcome> Wire::start(const TlsContext* tls) {
  constexpr char kHandshake = 0x16;  // no method's name begins with it
  char first = 0;
  for (;;) {
    if (auto why = interrupted()) co_return *why;
    ssize_t got = recv(socket_, &first, 1, MSG_PEEK);
    if (got > 0) break;
    if (got == 0) co_return Outcome::kEnd;
    if (!would_block()) co_return Outcome::kFailed;
    co_await Wait{*this, Direction::kRead};
  }
  if (first != kHandshake || tls == nullptr) co_return Outcome::kOk;

  tls_ = std::make_unique<TlsSession>(*tls, socket_);
  for (;;) {
    Io io = tls_->handshake();
    if (io.state == State::kDone) co_return Outcome::kOk;
    if (io.state == State::kEnd || io.state == State::kFailed) co_return Outcome::kFailed;
    if (auto why = interrupted()) co_return *why;
    co_await Wait{*this, io.state == State::kWantRead ? Direction::kRead : Direction::kWrite};
  }
}

Task<Wire::Outcome> Wire::read() {
  watching_ = false;
  for (;;) {
    if (ended_) co_return Outcome::kEnd;
    if (auto why = interrupted()) co_return *why;
    // While readiness is being waited for there is nothing to read: a system call saved.
    Io io = read_armed_ ? Io{State::kWantRead} : try_read();
    switch (io.state) {
      case State::kDone:
        received_.append(scratch_.data(), io.bytes);
        co_return Outcome::kOk;
      case State::kEnd:
      case State::kFailed:
        ended_ = true;
        break;
      case State::kWantRead:
        co_await Wait{*this, Direction::kRead};
        break;
      case State::kWantWrite:
        co_await Wait{*this, Direction::kWrite};
        break;
    }
  }
}

Task<Wire::Outcome> Wire::write(std::span<const std::string_view> pieces) {
  Outcome outcome = co_await write_pieces(pieces);
  if (outcome == Outcome::kOk) {
    clear_deadline();
  } else {
    unwritable_ = true;
  }
  co_return outcome;
}

Task<Wire::Outcome> Wire::write_pieces(std::span<const std::string_view> pieces) {
  std::size_t offset = 0;  // into the first piece
  std::size_t in_turn = 0;
  while (!pieces.empty()) {
    if (pieces.front().size() == offset) {
      pieces = pieces.subspan(1);
      offset = 0;
      continue;
    }
    if (auto why = interrupted()) co_return *why;
    Io io = try_write(pieces, offset);
    if (io.state == State::kEnd || io.state == State::kFailed) co_return Outcome::kFailed;
    if (io.state != State::kDone) {
      set_deadline(loop_.clock().uptime() + write_timeout_);
      co_await Wait{*this, io.state == State::kWantRead ? Direction::kRead : Direction::kWrite};
      continue;
    }
    in_turn += io.bytes;
    std::size_t left = io.bytes;
    while (left > 0) {
      std::size_t step = std::min(left, pieces.front().size() - offset);
      left -= step;
      offset += step;
      if (offset == pieces.front().size() && left > 0) {
        pieces = pieces.subspan(1);
        offset = 0;
      }
    }
    if (in_turn >= kMaxTurn) {
      in_turn = 0;
      co_await next_turn(loop_);
    }
  }
  co_return Outcome::kOk;
}

void Wire::say_goodbye() {
  if (unwritable_ || aborted_) return;
  if (tls_) tls_->say_goodbye();
  shutdown(socket_, SHUT_WR);
}

Task<> Wire::discard_rest() {
  if (unwritable_) co_return;
  set_deadline(loop_.clock().uptime() + kFinishTimeout);
  std::size_t discarded = received_.size();
  while (discarded < kMaxDiscarded) {
    received_.clear();
    if (co_await read() != Outcome::kOk) break;
    discarded += received_.size();
  }
}

void Wire::shrink_when_idle() {
  if (received_.empty() && received_.capacity() > kMaxKeptWhenIdle) std::string().swap(received_);
}

void Wire::watch() {
  watching_ = true;
  if (!ended_ && received_.size() < kMaxAhead) arm_read();
}

void Wire::set_deadline(Duration uptime) {
  deadline_ = uptime;
  late_ = false;
}

void Wire::expire(Duration uptime) {
  if (late_ || uptime < deadline_) return;
  late_ = true;
  wake_later();
}

void Wire::abort() {
  aborted_ = true;
  wake_later();
}

Io Wire::try_read() {
  if (tls_) return tls_->read(scratch_);
  ssize_t got = recv(socket_, scratch_.data(), scratch_.size(), 0);
  if (got > 0) return {State::kDone, static_cast<std::size_t>(got)};
  if (got == 0) return {State::kEnd};
  return {would_block() ? State::kWantRead : State::kFailed};
}

Io Wire::try_write(std::span<const std::string_view> pieces, std::size_t offset) {
  if (tls_) return try_write_tls(pieces, offset);
  std::array<iovec, kMaxGather> vectors;
  std::size_t count = 0;
  std::size_t size = 0;
  for (std::string_view piece : pieces) {
    if (count == vectors.size() || size >= kMaxTurn) break;
    piece.remove_prefix(std::exchange(offset, 0));
    vectors[count++] = {const_cast<char*>(piece.data()), piece.size()};
    size += piece.size();
  }
  msghdr message = {};
  message.msg_iov = vectors.data();
  message.msg_iovlen = count;
  ssize_t sent = sendmsg(socket_, &message, MSG_NOSIGNAL);
  if (sent >= 0) return {State::kDone, static_cast<std::size_t>(sent)};
  return {would_block() ? State::kWantWrite : State::kFailed};
}

Io Wire::try_write_tls(std::span<const std::string_view> pieces, std::size_t offset) {
  std::string_view first = pieces.front().substr(offset);
  if (first.size() >= kTlsRecord || pieces.size() == 1) {
    std::string_view step = first.substr(0, kTlsRecord);
    return tls_->write(step, step.size() < first.size() || has_bytes(pieces.subspan(1)));
  }
  // Pieces smaller than a record go out together.
  // After a write that would block OpenSSL wants the same bytes again: gathered anew they are.
  std::size_t size = 0;
  std::size_t taken = 0;  // pieces, whole
  for (; taken < pieces.size(); ++taken) {
    std::string_view piece = pieces[taken].substr(std::exchange(offset, 0));
    std::size_t step = piece.copy(scratch_.data() + size, kTlsRecord - size);
    size += step;
    if (step < piece.size()) break;
  }
  return tls_->write({scratch_.data(), size}, has_bytes(pieces.subspan(taken)));
}

std::optional<Wire::Outcome> Wire::interrupted() const {
  if (aborted_) return Outcome::kFailed;
  if (late_) return Outcome::kLate;
  return std::nullopt;
}

void Wire::arm_read() {
  if (std::exchange(read_armed_, true)) return;
  readiness_->when_readable([this] {
    read_armed_ = false;
    if (waiting_ && waiting_for_ == Direction::kRead) {
      std::exchange(waiting_, nullptr).resume();
    } else if (watching_) {
      look_ahead();
    }
  });
}

void Wire::arm_write() {
  if (std::exchange(write_armed_, true)) return;
  readiness_->when_writable([this] {
    write_armed_ = false;
    if (waiting_ && waiting_for_ == Direction::kWrite) std::exchange(waiting_, nullptr).resume();
  });
}

void Wire::look_ahead() {
  while (received_.size() < kMaxAhead) {
    Io io = try_read();
    if (io.state == State::kDone) {
      received_.append(scratch_.data(), io.bytes);
    } else if (io.state == State::kWantRead) {
      return arm_read();
    } else if (io.state == State::kWantWrite) {
      return;
    } else {
      ended_ = true;
      leave();
      return;
    }
  }
}

void Wire::wake_later() {
  if (!waiting_) return;
  loop_.post([waiting = std::exchange(waiting_, nullptr)] { waiting.resume(); });
}

}  // namespace slipway::http
