#include "http/response_writer.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "http/gzip.h"
#include "http/reason.h"

namespace slipway::http {

namespace {

constexpr std::size_t kGzipStep = 64 * 1024;  // compressed before others get their turn
constexpr std::string_view kLastChunk = "0\r\n\r\n";
constexpr std::string_view kLineEnd = "\r\n";

using Outcome = Wire::Outcome;

bool has_no_body(int status) { return status < 200 || status == 204 || status == 304; }

std::vector<std::string_view> views_of(const Response& response) {
  std::vector<std::string_view> views;
  views.reserve(response.parts.size() + 2);
  if (!response.body.empty()) views.emplace_back(response.body);
  for (const Bytes& part : response.parts) views.emplace_back(*part);
  return views;
}

std::size_t total_size(const std::vector<std::string_view>& pieces) {
  std::size_t total = 0;
  for (std::string_view piece : pieces) total += piece.size();
  return total;
}

// `before` goes out in front of the chunk, in the same packet: the head, for the first one.
Task<bool> write_chunk(Wire& wire, std::string_view before, std::string data, bool framed) {
  std::string size = framed ? fmt::format("{:x}\r\n", data.size()) : std::string();
  std::array<std::string_view, 4> pieces{before, size, data,
                                         framed ? kLineEnd : std::string_view()};
  co_return co_await wire.write(pieces) == Outcome::kOk;
}

Task<bool> write_one(Wire& wire, std::string_view bytes) {
  std::array<std::string_view, 1> pieces{bytes};
  co_return co_await wire.write(pieces) == Outcome::kOk;
}

// Each piece goes out when it is there, the head at once: a watcher wants to know it is heard.
Task<bool> write_stream(Wire& wire, Stream& stream, bool framed) {
  for (;;) {
    wire.watch();
    auto piece = co_await stream.next(wire.gone());
    // Without the last chunk the client knows that this was not all.
    if (!piece) co_return false;
    if (piece->empty()) break;
    if (!co_await write_chunk(wire, {}, std::move(*piece), framed)) {
      wire.leave();
      co_return false;
    }
  }
  if (!framed) co_return true;
  co_return co_await write_one(wire, kLastChunk);
}

Task<bool> write_gzipped(Loop& loop, Wire& wire, std::string head,
                         std::vector<std::string_view> pieces) {
  Gzip gzip;
  std::string waiting;  // small outputs are gathered into one chunk
  std::size_t in_turn = 0;
  for (std::size_t i = 0; i < pieces.size();) {
    std::string_view step = pieces[i].substr(0, kGzipStep - in_turn);
    pieces[i].remove_prefix(step.size());
    if (pieces[i].empty()) ++i;
    waiting += gzip.compress(step, i == pieces.size());
    in_turn += step.size();
    if (in_turn < kGzipStep && i < pieces.size()) continue;
    in_turn = 0;
    if (waiting.empty()) {
      co_await next_turn(loop);
      continue;
    }
    if (!co_await write_chunk(wire, head, std::exchange(waiting, {}), true)) co_return false;
    head.clear();
    if (i < pieces.size()) co_await next_turn(loop);
  }
  co_return co_await write_one(wire, kLastChunk);
}

}  // namespace

std::string format_head(const Response& response, BodyKind kind, std::size_t length,
                        bool keep_alive, bool gzip) {
  std::string head;
  head.reserve(256);
  auto line = [&head](std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append(kLineEnd);
  };
  head.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
  head.append(reason_of(response.status)).append(kLineEnd);
  for (const auto& [name, value] : response.headers.all()) {
    if (same_name(name, "Content-Length") || same_name(name, "Transfer-Encoding") ||
        same_name(name, "Connection")) {
      continue;
    }
    line(printable_line(name), printable_line(value));
  }
  if (gzip) {
    line("Content-Encoding", "gzip");
    line("Vary", "Accept-Encoding");
  }
  if (kind == BodyKind::kSized) line("Content-Length", std::to_string(length));
  if (kind == BodyKind::kChunked) line("Transfer-Encoding", "chunked");
  if (!keep_alive) line("Connection", "close");
  head.append(kLineEnd);
  return head;
}

Task<bool> write_response(Loop& loop, Wire& wire, Response response, Framing framing) {
  if (response.stream) {
    bool framed = !framing.http_1_0;
    framing.keep_alive = framing.keep_alive && framed;
    BodyKind kind = has_no_body(response.status) ? BodyKind::kNone
                    : framed                     ? BodyKind::kChunked
                                                 : BodyKind::kUntilClose;
    std::string head = format_head(response, kind, 0, framing.keep_alive, false);
    if (!co_await write_one(wire, head)) {
      wire.leave();
      co_return false;
    }
    if (framing.head_only || kind == BodyKind::kNone) co_return framing.keep_alive;
    bool sent = co_await write_stream(wire, *response.stream, framed);
    co_return sent&& framing.keep_alive;
  }

  std::vector<std::string_view> pieces = views_of(response);
  std::size_t size = total_size(pieces);
  bool no_body = has_no_body(response.status);
  bool gzip = framing.gzip && !framing.http_1_0 && !no_body && size > 0 &&
              size >= framing.gzip_above && !response.headers.has("Content-Encoding");
  BodyKind kind = no_body ? BodyKind::kNone : gzip ? BodyKind::kChunked : BodyKind::kSized;
  std::string head = format_head(response, kind, size, framing.keep_alive, gzip);
  bool sent = false;
  if (framing.head_only || no_body) {
    sent = co_await write_one(wire, head);
  } else if (gzip) {
    sent = co_await write_gzipped(loop, wire, std::move(head), std::move(pieces));
  } else {
    pieces.insert(pieces.begin(), head);
    sent = co_await wire.write(pieces) == Outcome::kOk;
  }
  co_return sent&& framing.keep_alive;
}

}  // namespace slipway::http
