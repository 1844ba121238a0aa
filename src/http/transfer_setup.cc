// How a ClientRequest becomes the options of a libcurl handle.
#include <fmt/format.h>

#include "http/curl_setting.h"
#include "http/transfer.h"

namespace slipway::http {

namespace {

constexpr long kMaxRedirects = 10;
constexpr long kReadBuffer = 64 * 1024;

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, FreeUrl>;

std::string part_of(CURLU* url, CURLUPart part, unsigned int flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

// For messages: a user, a password or a token in the query is nobody's business.
std::string without_secrets(CURLU* url) {
  Url copy(curl_url_dup(url));
  for (CURLUPart part : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT}) {
    curl_url_set(copy.get(), part, nullptr, 0);
  }
  return part_of(copy.get(), CURLUPART_URL);
}

void append(List& list, const std::string& text) {
  curl_slist* longer = curl_slist_append(list.get(), text.c_str());
  SLIPWAY_ASSERT(longer != nullptr);
  static_cast<void>(list.release());
  list.reset(longer);
}

void set_blob(CURL* easy, CURLoption option, const std::string& pem) {
  if (pem.empty()) return;
  curl_blob blob{const_cast<char*>(pem.data()), pem.size(), CURL_BLOB_NOCOPY};
  set_option(easy, option, &blob);
}

// A proxy named in the environment is for other machines.
bool is_this_machine(const std::string& host) {
  return host == "localhost" || host.starts_with("127.") || host == "[::1]";
}

long milliseconds(Duration duration) {
  auto count = std::chrono::ceil<std::chrono::milliseconds>(duration).count();
  return std::clamp<long>(count, 1, 24L * 3600 * 1000);
}

}  // namespace

Result<void> Transfer::set_url() {
  Url url(curl_url());
  if (curl_url_set(url.get(), CURLUPART_URL, request_.url.c_str(), CURLU_PATH_AS_IS) != CURLUE_OK) {
    shown_url_ = "(unreadable URL)";
    return failure(ErrorCode::kInvalid, "the URL must be http://HOST/PATH or https://HOST/PATH");
  }
  shown_url_ = without_secrets(url.get());
  std::string scheme = part_of(url.get(), CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") {
    return failure(ErrorCode::kInvalid, fmt::format("{} is neither http nor https", scheme));
  }
  const bool is_placed = !request_.connect_to.empty();
  if (is_placed || is_this_machine(part_of(url.get(), CURLUPART_HOST)))
    set_option(easy(), CURLOPT_PROXY, "");
  if (!tls_.server_name.empty() && scheme == "https")
    set_server_name(url.get());
  else if (is_placed)
    connect_elsewhere(url.get(), request_.connect_to);
  set_option(easy(), CURLOPT_URL, part_of(url.get(), CURLUPART_URL).c_str());
  // "x/.." is sent as it is: what it leads to is not what was asked for.
  set_option(easy(), CURLOPT_PATH_AS_IS, 1L);
  set_option(easy(), CURLOPT_PROTOCOLS_STR, "http,https");
  set_option(easy(), CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  return {};
}

// libcurl checks a certificate against the URL's host alone. So the URL gets the name to check, and
// connections to that name go to the real host.
void Transfer::set_server_name(CURLU* url) {
  std::string host = part_of(url, CURLUPART_HOST);
  std::string port = part_of(url, CURLUPART_PORT, CURLU_DEFAULT_PORT);
  if (curl_url_set(url, CURLUPART_HOST, tls_.server_name.c_str(), 0) != CURLUE_OK) return;
  connect_elsewhere(url, request_.connect_to.empty() ? host + ":" + port : request_.connect_to);
  if (!request_.headers.has("Host")) request_.headers.add("Host", host + ":" + port);
}

void Transfer::connect_elsewhere(CURLU* url, const std::string& place) {
  append(connect_to_, fmt::format("{}:{}:{}", part_of(url, CURLUPART_HOST),
                                  part_of(url, CURLUPART_PORT, CURLU_DEFAULT_PORT), place));
  set_option(easy(), CURLOPT_CONNECT_TO, connect_to_.get());
}

void Transfer::set_method() {
  if (request_.method == "HEAD") {
    set_option(easy(), CURLOPT_NOBODY, 1L);
    return;
  }
  bool sends_body = !request_.body.empty() || request_.method == "POST" ||
                    request_.method == "PUT" || request_.method == "PATCH";
  if (sends_body) {
    set_option(easy(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set_option(easy(), CURLOPT_POSTFIELDS, request_.body.data());
  }
  set_option(easy(), CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

void Transfer::set_headers() {
  for (const auto& [name, value] : request_.headers.all()) {
    // libcurl takes "name:" as "without it" and "name;" as "empty".
    append(header_list_, value.empty() ? printable_line(name) + ";"
                                       : printable_line(name) + ": " + printable_line(value));
  }
  // What libcurl would add by itself: a form's type, and a wait of a second before large bodies.
  if (!request_.headers.has("Content-Type")) append(header_list_, "Content-Type:");
  if (!request_.headers.has("Expect")) append(header_list_, "Expect:");
  if (!request_.headers.has("User-Agent")) set_option(easy(), CURLOPT_USERAGENT, "slipway");
  set_option(easy(), CURLOPT_HTTPHEADER, header_list_.get());
}

void Transfer::set_tls() {
  set_blob(easy(), CURLOPT_CAINFO_BLOB, tls_.ca_pem);
  set_blob(easy(), CURLOPT_SSLCERT_BLOB, tls_.certificate_pem);
  set_blob(easy(), CURLOPT_SSLKEY_BLOB, tls_.key_pem);
  set_option(easy(), CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set_option(easy(), CURLOPT_SSL_VERIFYPEER, tls_.verify ? 1L : 0L);
  set_option(easy(), CURLOPT_SSL_VERIFYHOST, tls_.verify ? 2L : 0L);
  set_option(easy(), CURLOPT_HTTP_VERSION,
             static_cast<long>(tls_.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  // With HTTP/2 offered, wait for the connection that is being made and share it. Only a handshake
  // tells soon: without TLS the wait would be for the first answer, however long that takes.
  const bool shares = tls_.http2 && request_.url.starts_with("https:");
  set_option(easy(), CURLOPT_PIPEWAIT, shares ? 1L : 0L);
}

void Transfer::set_limits() {
  set_option(easy(), CURLOPT_NOSIGNAL, 1L);
  // A request that is stopped does not wait, and the loop with it, for a name server.
  set_option(easy(), CURLOPT_QUICK_EXIT, 1L);
  // Refused by a handle that still has its buffer from before, which is of this size then.
  (void)curl_easy_setopt(easy(), CURLOPT_BUFFERSIZE, kReadBuffer);
  set_option(easy(), CURLOPT_TCP_KEEPALIVE, 1L);
  set_option(easy(), CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request_.timeout));
  if (kind_ == Kind::kWhole) {
    set_option(easy(), CURLOPT_TIMEOUT_MS, milliseconds(request_.timeout));
    set_option(easy(), CURLOPT_ACCEPT_ENCODING, "");
    // Refuses by the length announced, without waiting for what may never come.
    set_option(easy(), CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(request_.max_body));
  }
  set_option(easy(), CURLOPT_FOLLOWLOCATION, request_.follow_redirects ? 1L : 0L);
  set_option(easy(), CURLOPT_MAXREDIRS, kMaxRedirects);
}

}  // namespace slipway::http
