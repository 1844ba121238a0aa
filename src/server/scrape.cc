#include "server/scrape.h"

#include <optional>

#include "http/gzip.h"

namespace slipway::server {
namespace {

// Parts are put together until they have so much; one may be larger by itself.
constexpr std::size_t kEnough = 64 * 1024;

class ScrapeBody : public http::Stream {
 public:
  ScrapeBody(Loop& loop, const Metrics& metrics, bool gzip)
      : loop_(loop), write_(metrics.scrape()) {
    if (gzip) gzip_.emplace();
  }

  Task<Result<std::string>> next(std::stop_token) override {
    std::string piece;
    while (piece.empty() && more_) {
      if (std::exchange(is_under_way_, true)) co_await next_turn(loop_);
      std::string text;
      while (more_ && text.size() < kEnough) more_ = write_(text);
      // What compresses well may give nothing at first, and nothing would be the end.
      piece = gzip_ ? gzip_->compress(text, !more_) : std::move(text);
    }
    co_return piece;
  }

 private:
  Loop& loop_;
  Metrics::WritePart write_;
  std::optional<http::Gzip> gzip_;
  bool is_under_way_ = false;
  bool more_ = true;
};

}  // namespace

http::Response scrape_response(Loop& loop, const Metrics& metrics, bool gzip) {
  http::Response response{.stream = std::make_unique<ScrapeBody>(loop, metrics, gzip)};
  response.headers.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  if (gzip) {
    response.headers.set("Content-Encoding", "gzip");
    response.headers.set("Vary", "Accept-Encoding");
  }
  return response;
}

}  // namespace slipway::server
