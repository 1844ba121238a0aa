#include "http/chunk_decoder.h"

#include <algorithm>

namespace slipway::http {

namespace {

constexpr std::size_t kMaxDropped = 16 * 1024;  // extensions and trailers of one body
constexpr int kMaxSizeDigits = 16;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::size_t ChunkDecoder::feed(std::string_view bytes, std::string& body) {
  std::size_t taken = 0;
  while (taken < bytes.size() && state_ == State::kMore) {
    if (at_ != At::kData) {
      step(bytes[taken++]);
      continue;
    }
    std::size_t size = std::min<std::uint64_t>(left_, bytes.size() - taken);
    body.append(bytes.substr(taken, size));
    taken += size;
    left_ -= size;
    if (left_ == 0) at_ = At::kDataEnd;
  }
  return taken;
}

void ChunkDecoder::step(char c) {
  switch (at_) {
    case At::kSize:
      return take_size(c);
    case At::kExtension:
      if (c == '\r') {
        at_ = At::kSizeEnd;
      } else if (c == '\n') {
        state_ = State::kMalformed;
      } else {
        count_dropped();
      }
      return;
    case At::kSizeEnd:
      return c == '\n' ? end_size_line() : void(state_ = State::kMalformed);
    case At::kDataEnd:
      return expect(c, '\r', At::kDataLine);
    case At::kDataLine:
      return expect(c, '\n', At::kSize);
    case At::kTrailer:
    case At::kTrailerEnd:
      return take_trailer(c);
    case At::kData:
      return;
  }
}

void ChunkDecoder::take_size(char c) {
  int digit = hex_digit(c);
  if (digit >= 0 && digits_ < kMaxSizeDigits) {
    left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
    ++digits_;
  } else if (digits_ > 0 && (c == ';' || c == ' ' || c == '\t')) {
    at_ = At::kExtension;
  } else if (digits_ > 0 && c == '\r') {
    at_ = At::kSizeEnd;
  } else {
    state_ = State::kMalformed;
  }
}

void ChunkDecoder::end_size_line() {
  digits_ = 0;
  if (left_ == 0) {
    at_ = At::kTrailer;
  } else if (left_ > max_body_ - total_) {
    state_ = State::kTooLarge;
  } else {
    total_ += left_;
    at_ = At::kData;
  }
}

void ChunkDecoder::take_trailer(char c) {
  if (at_ == At::kTrailerEnd) {
    if (c != '\n') {
      state_ = State::kMalformed;
    } else if (line_empty_) {
      state_ = State::kDone;
    } else {
      line_empty_ = true;
      at_ = At::kTrailer;
    }
  } else if (c == '\r') {
    at_ = At::kTrailerEnd;
  } else if (c == '\n') {
    state_ = State::kMalformed;
  } else {
    line_empty_ = false;
    count_dropped();
  }
}

void ChunkDecoder::count_dropped() {
  if (++dropped_ > kMaxDropped) state_ = State::kMalformed;
}

void ChunkDecoder::expect(char c, char wanted, At next) {
  at_ = next;
  if (c != wanted) state_ = State::kMalformed;
}

}  // namespace slipway::http
