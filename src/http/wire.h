#pragma once

#include <coroutine>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "async/loop.h"
#include "async/readiness.h"
#include "http/tls_session.h"

namespace slipway::http {

// One accepted socket: bytes in and out, plain or TLS, with a deadline. One coroutine uses it.
class Wire {
 public:
  // Work space that all wires of a server share: nothing in it outlives a turn of the loop.
  using Scratch = std::span<char>;

  // Takes over the socket, which must be non-blocking. `write_timeout`: without progress.
  Wire(Loop& loop, int socket, Scratch scratch, Duration write_timeout);
  ~Wire();

  enum class Outcome { kOk, kEnd, kLate, kFailed };

  // Waits for the first byte, and for the handshake when that byte begins one and `tls` is given.
  Task<Outcome> start(const TlsContext* tls);
  // Appends at least one byte to received().
  Task<Outcome> read();
  // All of the pieces. What they view stays until the end.
  Task<Outcome> write(std::span<const std::string_view> pieces);
  // After the last answer: tells the client that no more will come.
  void say_goodbye();
  // Then takes what the client still sends, for a while: closed with something unread, the
  // connection would be reset, and the answer lost with it.
  Task<> discard_rest();

  std::string& received() { return received_; }
  // Gives back what a large request has left behind.
  void shrink_when_idle();

  // From now until the next read(), the client's end is noticed while nobody reads.
  void watch();
  // Requested when the client has gone, or by leave().
  std::stop_token gone() const { return gone_.get_token(); }
  void leave() { gone_.request_stop(); }

  bool is_tls() const { return tls_ != nullptr; }

  // read() and write() give kLate once `uptime` has passed this.
  void set_deadline(Duration uptime);
  void clear_deadline() { set_deadline(Duration::max()); }
  void expire(Duration uptime);  // asked regularly by the owner of all wires
  // Ends whatever waits, now and later, with kFailed.
  void abort();

 private:
  enum class Direction { kRead, kWrite };
  struct Wait;

  Task<Outcome> write_pieces(std::span<const std::string_view> pieces);
  Io try_read();
  Io try_write(std::span<const std::string_view> pieces, std::size_t offset);
  Io try_write_tls(std::span<const std::string_view> pieces, std::size_t offset);
  std::optional<Outcome> interrupted() const;
  void arm_read();
  void arm_write();
  void look_ahead();
  void wake_later();

  Loop& loop_;
  int socket_;
  Scratch scratch_;
  Duration write_timeout_;
  std::unique_ptr<Readiness> readiness_;
  std::unique_ptr<TlsSession> tls_;
  std::string received_;
  std::stop_source gone_;
  std::coroutine_handle<> waiting_;
  Direction waiting_for_ = Direction::kRead;
  Duration deadline_ = Duration::max();
  bool read_armed_ = false;
  bool write_armed_ = false;
  bool watching_ = false;
  bool ended_ = false;
  bool late_ = false;
  bool aborted_ = false;
  bool unwritable_ = false;
};

}  // namespace slipway::http
