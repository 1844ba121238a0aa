#include "http/transfer.h"

#include <fmt/format.h>

#include "http/curl_setting.h"

namespace slipway::http {

namespace {

// Of a stream that its reader has not taken yet; then the sender has to wait.
constexpr std::size_t kMaxBuffered = 1024 * 1024;
constexpr std::size_t kMaxResponseHeaders = 1000;

std::string_view trim_line(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n' || line.back() == ' ')) {
    line.remove_suffix(1);
  }
  return line;
}

ErrorCode code_of(CURLcode code) {
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return ErrorCode::kTimeout;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_TOO_MANY_REDIRECTS:
    case CURLE_BAD_FUNCTION_ARGUMENT:
      return ErrorCode::kInvalid;
    case CURLE_OUT_OF_MEMORY:
      return ErrorCode::kInternal;
    default:
      return ErrorCode::kUnavailable;
  }
}

}  // namespace

Transfer::Transfer(Loop& loop, Easy easy, ClientRequest request, const Tls& tls, Kind kind)
    : request_(std::move(request)),
      tls_(tls),
      kind_(kind),
      easy_(std::move(easy)),
      changed_(loop) {}

Result<void> Transfer::prepare() {
  set_option(easy(), CURLOPT_PRIVATE, this);
  set_option(easy(), CURLOPT_ERRORBUFFER, error_text_);
  set_option(easy(), CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set_option(easy(), CURLOPT_HEADERDATA, this);
  set_option(easy(), CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set_option(easy(), CURLOPT_WRITEDATA, this);
  SLIPWAY_TRY(set_url());
  set_method();
  set_headers();
  set_tls();
  set_limits();
  return {};
}

Transfer* Transfer::of(CURL* easy) {
  Transfer* transfer = nullptr;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
  return transfer;
}

void Transfer::finish(CURLcode code) {
  code_ = code;
  changed_.notify_all();
}

Result<void> Transfer::result() const {
  SLIPWAY_ASSERT(code_);
  if (too_large_ || *code_ == CURLE_FILESIZE_EXCEEDED) {
    return failure(ErrorCode::kTooLarge,
                   fmt::format("the answer is larger than {} bytes", request_.max_body));
  }
  if (*code_ == CURLE_OK) return {};
  return failure(code_of(*code_), error_text_[0] ? error_text_ : curl_easy_strerror(*code_));
}

std::unexpected<Error> Transfer::failure(ErrorCode code, std::string_view why) const {
  return fail(code, fmt::format("{} {}: {}", request_.method, shown_url_, why));
}

std::string Transfer::take_body() {
  std::string taken = std::exchange(response_.body, {});
  if (std::exchange(paused_, false)) curl_easy_pause(easy(), CURLPAUSE_CONT);
  return taken;
}

std::size_t Transfer::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<Transfer*>(self)->take_header_line({data, size * count});
}

std::size_t Transfer::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<Transfer*>(self)->take_bytes({data, size * count});
}

std::size_t Transfer::take_header_line(std::string_view line) {
  std::string_view text = trim_line(line);
  if (head_arrived_) return line.size();  // trailers
  if (text.starts_with("HTTP/")) {
    response_.headers = {};
  } else if (std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    std::string_view value = text.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    if (response_.headers.all().size() == kMaxResponseHeaders) return 0;
    response_.headers.add(std::string(text.substr(0, colon)), std::string(value));
  } else if (text.empty()) {
    long status = 0;
    curl_easy_getinfo(easy(), CURLINFO_RESPONSE_CODE, &status);
    bool redirected = request_.follow_redirects && status / 100 == 3 && status != 304 &&
                      response_.headers.has("Location");
    if (status / 100 == 1 || redirected) return line.size();
    response_.status = static_cast<int>(status);
    head_arrived_ = true;
    changed_.notify_all();
  }
  return line.size();
}

std::size_t Transfer::take_bytes(std::string_view bytes) {
  if (!head_arrived_) return bytes.size();  // the body of a redirect
  std::string& body = response_.body;
  if (kind_ == Kind::kStream) {
    if (!body.empty() && body.size() + bytes.size() > kMaxBuffered) {
      paused_ = true;
      return CURL_WRITEFUNC_PAUSE;
    }
    changed_.notify_all();
  } else if (body.size() + bytes.size() > request_.max_body) {
    too_large_ = true;
    return 0;
  }
  body.append(bytes);
  return bytes.size();
}

}  // namespace slipway::http
