#include "http/gzip.h"

#include <zlib.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "http/message.h"

namespace slipway::http {

namespace {

// Speed first: the reader is most often on the same machine or network.
constexpr int kLevel = 1;
constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 8;

using text::trim;

bool is_zero_weight(std::string_view parameter) {
  parameter = trim(parameter);
  if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) return false;
  return parameter.substr(2).find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
  bool any = false;
  while (!accept_encoding.empty()) {
    std::size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    std::string_view entry = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    std::size_t semicolon = std::min(entry.find(';'), entry.size());
    std::string_view coding = trim(entry.substr(0, semicolon));
    bool refused = semicolon < entry.size() && is_zero_weight(entry.substr(semicolon + 1));
    if (same_name(coding, "gzip")) return !refused;
    if (coding == "*") any = !refused;
  }
  return any;
}

struct Gzip::State {
  z_stream stream = {};
};

Gzip::Gzip() : state_(std::make_unique<State>()) {
  int made = deflateInit2(&state_->stream, kLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                          Z_DEFAULT_STRATEGY);
  SLIPWAY_ASSERT(made == Z_OK);
}

Gzip::~Gzip() { deflateEnd(&state_->stream); }

std::string Gzip::compress(std::string_view piece, bool last) {
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
  stream.avail_in = static_cast<uInt>(piece.size());
  std::string out;
  std::size_t used = 0;
  int result = Z_OK;
  do {
    out.resize(used + std::max<std::size_t>(piece.size() / 4, 1024));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + used);
    stream.avail_out = static_cast<uInt>(out.size() - used);
    result = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    SLIPWAY_ASSERT(result != Z_STREAM_ERROR);
    used = out.size() - stream.avail_out;
  } while (last ? result != Z_STREAM_END : stream.avail_in > 0 || stream.avail_out == 0);
  out.resize(used);
  return out;
}

std::string gunzip(std::string_view packed, std::size_t size) {
  std::string out(size, '\0');
  z_stream stream = {};
  SLIPWAY_ASSERT(inflateInit2(&stream, kGzipWindow) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&stream, Z_FINISH);
  SLIPWAY_ASSERT(result == Z_STREAM_END && stream.total_out == size);
  inflateEnd(&stream);
  return out;
}

}  // namespace slipway::http
