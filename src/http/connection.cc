#include "http/connection.h"

#include <array>

#include "http/gzip.h"
#include "http/listener.h"

namespace slipway::http {

namespace {

using Outcome = Wire::Outcome;
using State = RequestReader::State;

constexpr char kRetryAfter[] = "1";  // seconds, when there is no room

ErrorBody plain_text(std::string_view message) { return {.text = std::string(message) + "\n"}; }

}  // namespace

Connection::Connection(const ConnectionSetting& setting, int socket, std::string peer,
                       Wire::Scratch scratch)
    : setting_(setting),
      peer_(std::move(peer)),
      local_(local_address(socket)),
      wire_(setting.loop, socket, scratch, setting.options.write_timeout) {}

Task<> Connection::run() {
  // A client that connects and says nothing, or lingers in its handshake, is a slow sender.
  set_timeout(setting_.options.header_timeout);
  if (co_await wire_.start(setting_.tls) != Outcome::kOk) co_return;
  while (co_await serve_one()) continue;
  wire_.say_goodbye();
  phase_ = Phase::kIdle;
  if (unread_ && !winding_down_) co_await wire_.discard_rest();
}

Task<bool> Connection::serve_one() {
  RequestReader reader({.head = setting_.options.max_header, .body = setting_.options.max_body});
  if (!co_await read_head(reader)) co_return false;
  Request& request = reader.request();
  request.tls = wire_.is_tls();
  request.peer = peer_;
  request.local = local_;
  request.gone = wire_.gone();
  if (auto refusal = setting_.handler.refuse(request)) {
    co_return co_await answer_now(reader, std::move(*refusal));
  }
  HeldBody held(setting_.bodies);
  if (reader.state() != State::kDone && !co_await read_body(reader, held)) co_return false;
  co_return co_await answer(reader, held);
}

Task<bool> Connection::read_head(RequestReader& reader) {
  phase_ = Phase::kIdle;
  bool begun = !wire_.received().empty();
  if (!begun) {
    if (winding_down_) co_return false;
    wire_.shrink_when_idle();
    set_timeout(setting_.options.idle_timeout);
    if (co_await wire_.read() != Outcome::kOk) co_return false;
  }
  phase_ = Phase::kReading;
  set_timeout(setting_.options.header_timeout);
  while (feed(reader), reader.state() == State::kHead) {
    Outcome outcome = co_await wire_.read();
    if (outcome == Outcome::kLate) {
      co_await refuse(408, "the request's head did not come in time");
    } else if (outcome == Outcome::kEnd) {
      co_await refuse(400, "the request ended before its head did");
    }
    if (outcome != Outcome::kOk) co_return false;
  }
  if (reader.state() == State::kFailed) {
    co_await refuse(reader.failure().status, reader.failure().message);
    co_return false;
  }
  co_return true;
}

Task<bool> Connection::read_body(RequestReader& reader, HeldBody& held) {
  if (reader.expects_continue() && wire_.received().empty()) {
    static constexpr std::array<std::string_view, 1> kContinue{"HTTP/1.1 100 Continue\r\n\r\n"};
    if (co_await wire_.write(kContinue) != Outcome::kOk) co_return false;
  }
  set_timeout(setting_.options.body_timeout);
  for (;;) {
    feed(reader);
    if (!held.grow_to(reader.request().body.size())) {
      co_await refuse(429, "the bodies of other requests take all the room there is for them");
      co_return false;
    }
    if (reader.state() != State::kBody) break;
    Outcome outcome = co_await wire_.read();
    if (outcome == Outcome::kLate) {
      co_await refuse(408, "the request's body did not come in time");
    } else if (outcome == Outcome::kEnd) {
      co_await refuse(400, "the request ended before its body did");
    }
    if (outcome != Outcome::kOk) co_return false;
  }
  if (reader.state() == State::kFailed) {
    co_await refuse(reader.failure().status, reader.failure().message);
    co_return false;
  }
  co_return true;
}

Task<bool> Connection::answer(RequestReader& reader, HeldBody& held) {
  phase_ = Phase::kHandling;
  wire_.clear_deadline();
  wire_.watch();
  Framing framing = framing_of(reader);
  Response response = co_await setting_.handler.handle(std::move(reader.request()));
  held.release();
  if (response.stream) {
    phase_ = Phase::kStreaming;
    if (winding_down_) wire_.leave();
  }
  framing.keep_alive = framing.keep_alive && !winding_down_;
  bool goes_on = co_await write_response(setting_.loop, wire_, std::move(response), framing);
  unread_ = !wire_.received().empty();
  co_return goes_on;
}

Task<bool> Connection::answer_now(RequestReader& reader, Response response) {
  Framing framing = framing_of(reader);
  unread_ = reader.state() != State::kDone;
  framing.keep_alive = framing.keep_alive && !unread_;
  wire_.clear_deadline();
  co_return co_await write_response(setting_.loop, wire_, std::move(response), framing);
}

void Connection::feed(RequestReader& reader) {
  std::string& received = wire_.received();
  received.erase(0, reader.feed(received));
}

Task<> Connection::refuse(int status, std::string message) {
  const auto& make_body = setting_.options.error_body;
  ErrorBody body = make_body ? make_body(status, message) : plain_text(message);
  Response response{.status = status, .body = std::move(body.text)};
  response.headers.add("Content-Type", std::move(body.content_type));
  if (status == 429) response.headers.add("Retry-After", kRetryAfter);
  unread_ = true;
  wire_.clear_deadline();
  co_await write_response(setting_.loop, wire_, std::move(response), Framing{});
}

Framing Connection::framing_of(RequestReader& reader) const {
  const Request& request = reader.request();
  return {.head_only = request.method == "HEAD",
          .http_1_0 = reader.is_http_1_0(),
          .keep_alive = reader.keep_alive() && !winding_down_,
          .gzip = accepts_gzip(request.headers.get("Accept-Encoding")),
          .gzip_above = setting_.options.gzip_above};
}

void Connection::set_timeout(Duration timeout) {
  wire_.set_deadline(setting_.loop.clock().uptime() + timeout);
}

void Connection::wind_down() {
  winding_down_ = true;
  if (phase_ == Phase::kIdle) wire_.abort();
  if (phase_ == Phase::kStreaming) wire_.leave();
}

void Connection::cut_off() {
  wire_.leave();
  wire_.abort();
}

}  // namespace slipway::http
