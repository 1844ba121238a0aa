#include <fmt/format.h>

#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/provider_list.h"
#include "metrics/window.h"

namespace slipway::metrics {

namespace {

class WavefrontProvider final : public Provider {
 public:
  WavefrontProvider(HttpSource source, Url address, std::string token)
      : source_(std::move(source)), address_(std::move(address)), token_(std::move(token)) {}

  // An instant is a window without length: the service then gives the point nearest to it, if it
  // may look outside of the window.
  Task<Result<Answer>> query(Query query) override {
    Time at = moment_of(query, source_.clock());
    Time from = query.range ? query.range->from : at;
    Labels form = {{"e", std::to_string(unix_seconds(at) * 1000)},
                   {"g", "s"},
                   {"i", query.range ? "false" : "true"}};
    if (!query.range) form.emplace_back("p", "1");
    form.emplace_back("q", query.text);
    form.emplace_back("s", std::to_string(unix_seconds(from) * 1000));
    auto response =
        co_await ask(format_form(form), Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return status_failure(*response);
    co_return parse_wavefront_answer(response->body);
  }

  Task<Result<>> is_online() override {
    std::string now = std::to_string(unix_seconds(source_.clock().now()) * 1000);
    auto response = co_await ask(format_form({{"e", now}, {"g", "s"}, {"q", "1"}, {"s", now}}),
                                 Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return status_failure(*response);
    co_return Result<>();
  }

 private:
  Task<Result<http::Response>> ask(std::string form, Budget budget) {
    HttpSource::Call call{.url = address_.with("/api/v2/chart/api?" + form)};
    call.headers.add("Authorization", "Bearer " + token_);
    co_return co_await source_.send(std::move(call), budget);
  }

  HttpSource source_;
  Url address_;
  std::string token_;
};

std::unexpected<Error> wrong(std::string_view why, const json::Value& found) {
  return fail(ErrorCode::kInvalid, fmt::format("error unmarshaling result: {}, found {}", why,
                                               excerpt(json::write(found))));
}

Result<Series> read_series(const json::Value& item) {
  Series series;
  for (std::string_view name : {"label", "host"}) {
    std::string_view text = json::string_at(item, {name});
    if (!text.empty()) series.labels.emplace_back(name, text);
  }
  const json::Value* points = json::at(item, {"data"});
  if (!points || points->is_null()) return series;
  if (!points->is_array()) return wrong("data are a list", *points);
  for (const json::Value& value : points->get_array()) {
    const auto* pair = value.if_array();
    if (!pair || pair->size() != 2) return wrong("a point is [seconds, value]", value);
    if ((*pair)[1].is_null()) continue;
    auto number = to_number((*pair)[1]);
    if (!number || !(*pair)[0].is_number()) return wrong("a point is [seconds, value]", value);
    series.points.push_back({from_unix_seconds((*pair)[0].to_number<double>()), *number});
  }
  return series;
}

}  // namespace

Result<Answer> parse_wavefront_answer(std::string_view body) {
  auto document = read_answer(body);
  if (!document) return fail(std::move(document).error());
  Answer answer;
  if (std::string_view said = json::string_at(*document, {"warnings"}); !said.empty()) {
    answer.warnings.push_back(excerpt(said));
  }
  std::string_view error = json::string_at(*document, {"errorMessage"});
  if (!error.empty()) {
    return fail(
        ErrorCode::kInvalid,
        fmt::format("{}: {}", excerpt(json::string_at(*document, {"errorType"})), excerpt(error)));
  }
  const json::Value* list = json::at(*document, {"timeseries"});
  if (!list || list->is_null()) return answer;
  if (!list->is_array()) return wrong("timeseries is a list", *list);
  for (const json::Value& item : list->get_array()) {
    auto series = read_series(item);
    if (!series) return fail(std::move(series).error());
    answer.series.push_back(std::move(*series));
  }
  return answer;
}

Result<std::unique_ptr<Provider>> make_wavefront(const ProviderSpec& spec,
                                                 Connections& connections) {
  ProviderSpec filled = spec;
  // Argo's Secret has a token for each address, which is a bare host.
  std::string token = credential(spec, {"token", spec.address});
  if (token.empty()) return fail(ErrorCode::kInvalid, "API token not found");
  if (!filled.address.empty() && filled.address.find("://") == std::string::npos) {
    filled.address = "https://" + filled.address;
  }
  auto address = need_address(filled);
  if (!address) return fail(std::move(address).error());
  auto source = HttpSource::make(filled, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<WavefrontProvider>(std::move(*source), std::move(*address),
                                             std::move(token));
}

}  // namespace slipway::metrics
