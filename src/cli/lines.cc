#include "cli/lines.h"

#include "store/kube/connection.h"

namespace slipway::cli {

Task<Result<std::string>> Lines::next(Duration idle, std::stop_token stop) {
  std::size_t searched = 0;
  while (true) {
    if (const auto end = buffer_.find('\n', searched); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (line.empty()) {
        searched = 0;
        continue;
      }
      co_return line;
    }
    searched = buffer_.size();
    if (buffer_.size() > kMaxLine)
      co_return fail(ErrorCode::kTooLarge, "a line of the answer is too long");
    auto piece = co_await stream_.next(idle, stop);
    if (!piece) co_return std::unexpected(piece.error());
    if (piece->empty()) co_return std::string();
    buffer_ += *piece;
  }
}

Task<Error> read_refusal(http::ResponseStream& stream) {
  http::Response answer{.status = stream.status()};
  while (answer.body.size() < kMaxRefusal) {
    auto piece = co_await stream.next(std::chrono::seconds(30), {});
    if (!piece) co_return piece.error();
    if (piece->empty()) break;
    answer.body += *piece;
  }
  co_return store::kube::error_of(answer);
}

bool has_broken_off(const Result<std::string>& piece) {
  return piece ? piece->empty() : piece.error().code == ErrorCode::kUnavailable;
}

}  // namespace slipway::cli
