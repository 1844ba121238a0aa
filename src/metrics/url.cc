#include "metrics/url.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <memory>

#include "http/message.h"

namespace slipway::metrics {

namespace {

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Handle = std::unique_ptr<CURLU, FreeUrl>;

std::string part(CURLU* url, CURLUPart which, unsigned int flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, flags) != CURLUE_OK) return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

std::unexpected<Error> bad_url(std::string_view why = "") {
  return fail(ErrorCode::kInvalid,
              fmt::format("is not a valid URL{}; write http://HOST or https://HOST", why));
}

}  // namespace

std::string Url::with(std::string_view more) const {
  return fmt::format("{}://{}{}{}", scheme, host, path, more);
}

Result<Url> parse_url(std::string_view text) {
  Handle handle(curl_url());
  if (text.find('\0') != std::string_view::npos ||
      curl_url_set(handle.get(), CURLUPART_URL, std::string(text).c_str(),
                   CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK) {
    return bad_url();
  }
  Url url{.scheme = part(handle.get(), CURLUPART_SCHEME),
          .user = part(handle.get(), CURLUPART_USER, CURLU_URLDECODE),
          .password = part(handle.get(), CURLUPART_PASSWORD, CURLU_URLDECODE),
          .host = part(handle.get(), CURLUPART_HOST),
          .path = part(handle.get(), CURLUPART_PATH),
          .query = part(handle.get(), CURLUPART_QUERY)};
  if (url.scheme != "http" && url.scheme != "https") {
    return bad_url(fmt::format(": unsupported protocol scheme \"{}\"", url.scheme));
  }
  if (url.host.empty()) return bad_url();
  if (std::string port = part(handle.get(), CURLUPART_PORT); !port.empty()) url.host += ":" + port;
  while (url.path.ends_with('/')) url.path.pop_back();
  return url;
}

Result<std::string> resolve_url(const std::string& base, const std::string& reference) {
  Handle handle(curl_url());
  if (curl_url_set(handle.get(), CURLUPART_URL, base.c_str(), 0) != CURLUE_OK ||
      curl_url_set(handle.get(), CURLUPART_URL, reference.c_str(), CURLU_URLENCODE) != CURLUE_OK) {
    return bad_url();
  }
  std::string scheme = part(handle.get(), CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return bad_url();
  return part(handle.get(), CURLUPART_URL);
}

std::string form_escape(std::string_view text) {
  std::string escaped = http::percent_encode(text);
  std::string form;
  form.reserve(escaped.size());
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped.compare(i, 3, "%20") == 0) {
      form += '+';
      i += 2;
    } else {
      form += escaped[i];
    }
  }
  return form;
}

std::string format_form(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string form;
  for (const auto& [name, value] : fields) {
    if (!form.empty()) form += '&';
    form += form_escape(name) + '=' + form_escape(value);
  }
  return form;
}

}  // namespace slipway::metrics
