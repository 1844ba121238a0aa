#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace slipway::http {

// The body of a request in chunks, taken apart as its bytes come. Extensions and trailers are
// dropped. Our own and not Beast's, whose parser ends the program on some malformed trailers.
class ChunkDecoder {
 public:
  explicit ChunkDecoder(std::size_t max_body) : max_body_(max_body) {}

  enum class State { kMore, kDone, kTooLarge, kMalformed };

  // Takes bytes until the end of the body, and appends what they hold to `body`.
  std::size_t feed(std::string_view bytes, std::string& body);
  State state() const { return state_; }

 private:
  enum class At { kSize, kExtension, kSizeEnd, kData, kDataEnd, kDataLine, kTrailer, kTrailerEnd };

  void step(char c);
  void take_size(char c);
  void end_size_line();
  void take_trailer(char c);
  void count_dropped();
  void expect(char c, char wanted, At next);

  std::size_t max_body_;
  std::size_t total_ = 0;
  std::size_t dropped_ = 0;
  std::uint64_t left_ = 0;
  int digits_ = 0;
  bool line_empty_ = true;
  At at_ = At::kSize;
  State state_ = State::kMore;
};

}  // namespace slipway::http
