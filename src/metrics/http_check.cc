// Whether an HTTP endpoint answers as it should. The query's first line is the method (GET when
// empty), what follows is the whole body that is expected. The value is the status code.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "metrics/credentials.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/provider_list.h"

namespace slipway::metrics {

namespace {

struct Wanted {
  std::string method = "GET";
  std::string body = {};  // empty: any
};

Result<Wanted> parse_wanted(const std::string& text) {
  constexpr std::string_view kMethods[] = {"GET",   "HEAD",   "POST",   "PUT",
                                           "PATCH", "DELETE", "OPTIONS"};
  const std::size_t end = std::min(text.find('\n'), text.size());
  Wanted wanted;
  if (end > 0) wanted.method = text::upper(text.substr(0, end));
  wanted.body = text.substr(std::min(end + 1, text.size()));
  if (std::ranges::find(kMethods, wanted.method) == std::end(kMethods))
    return fail(ErrorCode::kInvalid,
                fmt::format("method \"{}\" is not GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS",
                            excerpt(wanted.method)));
  return wanted;
}

// A line end that an editor or `echo` put after the last line is no part of what was meant.
std::string_view without_last_line_end(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

class HttpCheckProvider final : public Provider {
 public:
  HttpCheckProvider(HttpSource source, std::string address)
      : source_(std::move(source)), address_(std::move(address)) {}

  Task<Result<Answer>> query(Query query) override {
    auto wanted = parse_wanted(query.text);
    if (!wanted) co_return fail(std::move(wanted).error());
    HttpSource::Call call{.method = wanted->method, .url = address_};
    auto response =
        co_await source_.send(std::move(call), Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (!wanted->body.empty() &&
        without_last_line_end(response->body) != without_last_line_end(wanted->body)) {
      co_return fail(ErrorCode::kInvalid,
                     fmt::format("status {}, and the response is \"{}\", expected \"{}\"",
                                 response->status, excerpt(response->body), excerpt(wanted->body)));
    }
    Answer answer{.shape = Answer::Shape::kScalar};
    answer.series.push_back(
        {.points = {{source_.clock().now(), static_cast<double>(response->status)}}});
    co_return answer;
  }

  Task<Result<>> is_online() override {
    auto response = co_await source_.send({.method = "HEAD", .url = address_},
                                          Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status >= 500) co_return status_failure(*response);
    co_return Result<>();
  }

 private:
  HttpSource source_;
  std::string address_;
};

}  // namespace

Result<std::unique_ptr<Provider>> make_http_check(const ProviderSpec& spec,
                                                  Connections& connections) {
  auto address = need_address(spec);
  if (!address) return fail(std::move(address).error());
  auto source = HttpSource::make(spec, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<HttpCheckProvider>(std::move(*source), spec.address);
}

}  // namespace slipway::metrics
