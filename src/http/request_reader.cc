#include "http/request_reader.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace slipway::http {

namespace {

namespace beast = boost::beast;
using beast::error_code;

// The line of a chunk's size with its extensions, or all trailers.
constexpr std::size_t kMaxChunkHead = 16 * 1024;
// What is reserved on the word of a Content-Length alone.
constexpr std::size_t kMaxReserve = 64 * 1024;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

class RequestReader::Parser final : public beast::http::basic_parser<true> {
 public:
  explicit Parser(Limits limits) : limits_(limits) {
    header_limit(static_cast<std::uint32_t>(std::min<std::size_t>(limits.head, UINT32_MAX)));
    body_limit(limits.body);
  }

  std::size_t feed(std::string_view bytes);

  State state_now = State::kHead;
  Request request;
  Failure failure;
  bool is_1_0 = false;

 private:
  void fail_with(int status, std::string message) {
    state_now = State::kFailed;
    failure = {status, std::move(message)};
  }
  void fail_with(error_code error);
  void check_head();

  void on_request_impl(beast::http::verb, beast::string_view method, beast::string_view target,
                       int version, error_code&) override {
    is_1_0 = version == 10;
    request.method = view(method);
    raw_target_ = view(target);
  }
  void on_response_impl(int, beast::string_view, int, error_code&) override {}
  void on_field_impl(beast::http::field, beast::string_view name, beast::string_view value,
                     error_code&) override {
    // Past the head these are trailers: nothing may come in after the head was checked.
    if (state_now == State::kHead) {
      request.headers.add(std::string(view(name)), std::string(view(value)));
    }
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
    if (length) request.body.reserve(std::min<std::uint64_t>(*length, kMaxReserve));
  }
  std::size_t on_body_impl(beast::string_view body, error_code&) override {
    request.body.append(body.data(), body.size());
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t, beast::string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view body, error_code&) override {
    request.body.append(body.data(), body.size());
    return body.size();
  }
  void on_finish_impl(error_code&) override {}

  Limits limits_;
  std::string raw_target_;
  std::size_t head_bytes_ = 0;
};

std::size_t RequestReader::Parser::feed(std::string_view bytes) {
  std::size_t taken = 0;
  bool in_head = state_now == State::kHead;
  // An empty line before a request is left over from the one before (RFC 9112, 2.2).
  while (in_head && !got_some() && bytes.substr(taken).starts_with("\r\n")) taken += 2;
  if (in_head && bytes.substr(taken) == "\r") return taken;
  while (taken < bytes.size() && (state_now == State::kHead || state_now == State::kBody)) {
    error_code error;
    std::size_t step = put({bytes.data() + taken, bytes.size() - taken}, error);
    taken += step;
    if (in_head) head_bytes_ += step;
    std::size_t left = bytes.size() - taken;
    if (in_head && head_bytes_ + (is_header_done() ? 0 : left) > limits_.head) {
      error = beast::http::error::header_limit;
    } else if (error == beast::http::error::need_more) {
      if (!in_head && left > kMaxChunkHead) fail_with(400, "a chunk's head is too long");
      break;
    }
    if (error) {
      fail_with(error);
    } else if (is_header_done() && in_head) {
      check_head();
      if (state_now == State::kHead) state_now = is_done() ? State::kDone : State::kBody;
      break;
    } else if (is_done()) {
      state_now = State::kDone;
    }
  }
  return taken;
}

void RequestReader::Parser::fail_with(error_code error) {
  if (error == beast::http::error::header_limit) {
    fail_with(431, "the request's head is larger than " + std::to_string(limits_.head) + " bytes");
  } else if (error == beast::http::error::body_limit) {
    fail_with(413, "the request's body is larger than " + std::to_string(limits_.body) + " bytes");
  } else {
    fail_with(400, "this is no HTTP/1.1 request: " + error.message());
  }
}

void RequestReader::Parser::check_head() {
  auto target = http::parse_target(raw_target_);
  if (!target) return fail_with(400, target.error().message);
  request.target = std::move(*target);

  int hosts = 0;
  bool unknown_coding = false;
  for (const auto& [name, value] : request.headers.all()) {
    if (same_name(name, "Host")) ++hosts;
    if (same_name(name, "Transfer-Encoding")) unknown_coding |= !same_name(value, "chunked");
  }
  if (unknown_coding) return fail_with(501, "the only transfer coding known here is chunked");
  if (hosts > 1 || (hosts == 0 && !is_1_0)) {
    return fail_with(400, "a request has one Host header");
  }
  std::string_view expect = request.headers.get("Expect");
  if (!expect.empty() && !same_name(expect, "100-continue")) {
    return fail_with(417, "the only expectation known here is 100-continue");
  }
}

RequestReader::RequestReader(Limits limits) : parser_(std::make_unique<Parser>(limits)) {}
RequestReader::~RequestReader() = default;
std::size_t RequestReader::feed(std::string_view bytes) { return parser_->feed(bytes); }
RequestReader::State RequestReader::state() const { return parser_->state_now; }
Request& RequestReader::request() { return parser_->request; }
bool RequestReader::keep_alive() const { return parser_->keep_alive(); }
bool RequestReader::is_http_1_0() const { return parser_->is_1_0; }
bool RequestReader::expects_continue() const {
  return !is_http_1_0() && parser_->request.headers.has("Expect");
}
const RequestReader::Failure& RequestReader::failure() const { return parser_->failure; }

}  // namespace slipway::http
