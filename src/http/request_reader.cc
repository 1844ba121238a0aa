#include "http/request_reader.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include "http/chunk_decoder.h"

namespace slipway::http {

namespace {

namespace beast = boost::beast;
using beast::error_code;

// What is reserved on the word of a Content-Length alone.
constexpr std::size_t kMaxReserve = 64 * 1024;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// Beast for the head, up to its end. Bodies are ours: skip(true).
class HeadParser final : public beast::http::basic_parser<true> {
 public:
  HeadParser(Request& request, std::size_t limit) : request_(request) {
    header_limit(static_cast<std::uint32_t>(std::min<std::size_t>(limit, UINT32_MAX)));
    body_limit(boost::none);
    skip(true);
  }

  std::string raw_target;
  bool is_1_0 = false;

 private:
  void on_request_impl(beast::http::verb, beast::string_view method, beast::string_view target,
                       int version, error_code&) override {
    request_.method = view(method);
    raw_target = view(target);
    is_1_0 = version == 10;
  }
  void on_field_impl(beast::http::field, beast::string_view name, beast::string_view value,
                     error_code&) override {
    request_.headers.add(std::string(view(name)), std::string(view(value)));
  }
  void on_header_impl(error_code&) override {}
  void on_finish_impl(error_code&) override {}

  void on_response_impl(int, beast::string_view, int, error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(beast::string_view, error_code&) override { return 0; }
  void on_chunk_header_impl(std::uint64_t, beast::string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view, error_code&) override {
    return 0;
  }

  Request& request_;
};

}  // namespace

struct RequestReader::Reading {
  explicit Reading(Limits given) : limits(given), head(request, given.head), chunks(given.body) {}

  std::size_t feed_head(std::string_view bytes);
  std::size_t feed_body(std::string_view bytes);
  void finish_head();
  void check_head();
  void begin_body();
  void fail_with(int status, std::string message) {
    state = State::kFailed;
    failure = {status, std::move(message)};
  }
  void fail_with(error_code error);
  void fail_too_large() {
    fail_with(413, "the request's body is larger than " + std::to_string(limits.body) + " bytes");
  }

  Limits limits;
  State state = State::kHead;
  Request request;
  Failure failure;
  HeadParser head;
  std::size_t head_bytes = 0;
  std::uint64_t body_left = 0;  // with a Content-Length
  ChunkDecoder chunks;
};

std::size_t RequestReader::Reading::feed_head(std::string_view bytes) {
  std::size_t taken = 0;
  // An empty line before a request is left over from the one before (RFC 9112, 2.2).
  while (!head.got_some() && bytes.substr(taken).starts_with("\r\n")) taken += 2;
  if (taken == bytes.size() || (!head.got_some() && bytes.substr(taken) == "\r")) return taken;

  error_code error;
  std::size_t step = head.put({bytes.data() + taken, bytes.size() - taken}, error);
  taken += step;
  head_bytes += step;
  bool done = head.is_header_done();
  // Beast limits what it sees at once; here the whole head counts.
  if (head_bytes + (done ? 0 : bytes.size() - taken) > limits.head) {
    fail_with(beast::http::error::header_limit);
  } else if (error && error != beast::http::error::need_more) {
    fail_with(error);
  } else if (done) {
    finish_head();
  }
  return taken;
}

void RequestReader::Reading::fail_with(error_code error) {
  if (error == beast::http::error::header_limit) {
    fail_with(431, "the request's head is larger than " + std::to_string(limits.head) + " bytes");
  } else {
    fail_with(400, "this is no HTTP/1.1 request: " + error.message());
  }
}

void RequestReader::Reading::finish_head() {
  check_head();
  if (state != State::kFailed) begin_body();
}

void RequestReader::Reading::check_head() {
  auto target = parse_target(head.raw_target);
  if (!target) return fail_with(400, target.error().message);
  request.target = std::move(*target);

  int hosts = 0;
  bool unknown_coding = false;
  for (const auto& [name, value] : request.headers.all()) {
    if (same_name(name, "Host")) ++hosts;
    if (same_name(name, "Transfer-Encoding")) unknown_coding |= !same_name(value, "chunked");
  }
  if (unknown_coding) return fail_with(501, "the only transfer coding known here is chunked");
  if (hosts > 1 || (hosts == 0 && !head.is_1_0)) {
    return fail_with(400, "a request has one Host header");
  }
  std::string_view expect = request.headers.get("Expect");
  if (!expect.empty() && !same_name(expect, "100-continue")) {
    return fail_with(417, "the only expectation known here is 100-continue");
  }
}

void RequestReader::Reading::begin_body() {
  body_left = head.content_length().value_or(0);
  if (body_left > limits.body) return fail_too_large();
  state = head.chunked() || body_left > 0 ? State::kBody : State::kDone;
  request.body.reserve(std::min<std::uint64_t>(body_left, kMaxReserve));
}

std::size_t RequestReader::Reading::feed_body(std::string_view bytes) {
  if (!head.chunked()) {
    std::size_t size = std::min<std::uint64_t>(body_left, bytes.size());
    request.body.append(bytes.substr(0, size));
    body_left -= size;
    if (body_left == 0) state = State::kDone;
    return size;
  }
  std::size_t taken = chunks.feed(bytes, request.body);
  switch (chunks.state()) {
    case ChunkDecoder::State::kMore:
      break;
    case ChunkDecoder::State::kDone:
      state = State::kDone;
      break;
    case ChunkDecoder::State::kTooLarge:
      fail_too_large();
      break;
    case ChunkDecoder::State::kMalformed:
      fail_with(400, "the request's chunks are malformed");
      break;
  }
  return taken;
}

RequestReader::RequestReader(Limits limits) : reading_(std::make_unique<Reading>(limits)) {}
RequestReader::~RequestReader() = default;

std::size_t RequestReader::feed(std::string_view bytes) {
  if (reading_->state == State::kHead) return reading_->feed_head(bytes);
  if (reading_->state == State::kBody) return reading_->feed_body(bytes);
  return 0;
}

RequestReader::State RequestReader::state() const { return reading_->state; }
Request& RequestReader::request() { return reading_->request; }
bool RequestReader::keep_alive() const { return reading_->head.keep_alive(); }
bool RequestReader::is_http_1_0() const { return reading_->head.is_1_0; }
bool RequestReader::expects_continue() const {
  return !is_http_1_0() && reading_->request.headers.has("Expect");
}
const RequestReader::Failure& RequestReader::failure() const { return reading_->failure; }

}  // namespace slipway::http
