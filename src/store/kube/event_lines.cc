#include "store/kube/event_lines.h"

#include <fmt/format.h>

namespace slipway::store::kube {

void EventLines::add(std::string_view piece) {
  buffer_.erase(0, start_);
  scanned_ -= start_;
  start_ = 0;
  buffer_ += piece;
}

Result<std::optional<std::string_view>> EventLines::next() {
  while (true) {
    const std::size_t end = buffer_.find('\n', scanned_);
    const std::size_t length = std::min(end, buffer_.size()) - start_;
    if (length > max_line_) {
      return fail(ErrorCode::kTooLarge,
                  fmt::format("an event of the watch is larger than {} bytes", max_line_));
    }
    if (end == std::string::npos) {
      scanned_ = buffer_.size();
      return std::nullopt;
    }
    std::string_view line = std::string_view(buffer_).substr(start_, length);
    start_ = scanned_ = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) return line;
  }
}

void EventLines::clear() {
  buffer_.clear();
  start_ = scanned_ = 0;
}

}  // namespace slipway::store::kube
