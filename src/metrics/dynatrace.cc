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

// "Inf" is one value for the whole window.
std::string resolution_of(const Query& query) {
  if (!query.range || query.range->step <= Duration::zero()) return "Inf";
  auto minutes = std::chrono::ceil<std::chrono::minutes>(query.range->step).count();
  return fmt::format("{}m", minutes);
}

class DynatraceProvider final : public Provider {
 public:
  DynatraceProvider(HttpSource source, Url address, std::string token)
      : source_(std::move(source)), address_(std::move(address)), token_(std::move(token)) {}

  Task<Result<Answer>> query(Query query) override {
    Range window = window_of(query, source_.clock());
    std::int64_t to = unix_seconds(window.to) * 1000;
    std::int64_t from =
        to - std::chrono::milliseconds(unix_millis(window.to) - unix_millis(window.from)).count();
    std::string form = format_form({{"from", std::to_string(from)},
                                    {"metricSelector", query.text},
                                    {"resolution", resolution_of(query)},
                                    {"to", std::to_string(to)}});
    auto response = co_await ask("/api/v2/metrics/query?" + form,
                                 Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return status_failure(*response);
    co_return parse_dynatrace_answer(response->body);
  }

  Task<Result<>> is_online() override {
    auto response =
        co_await ask("/api/v2/metrics?pageSize=1", Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return status_failure(*response);
    co_return Result<>();
  }

 private:
  Task<Result<http::Response>> ask(std::string path, Budget budget) {
    HttpSource::Call call{.url = address_.with(path)};
    call.headers.add("Authorization", "Api-Token " + token_);
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

Result<Series> read_series(const json::Value& item, std::string_view metric) {
  Series series;
  series.labels.emplace_back("metricId", metric);
  if (const json::Value* map = json::at(item, {"dimensionMap"}); map && map->is_object()) {
    for (const auto& dimension : map->get_object()) {
      if (const auto* text = dimension.value().if_string()) {
        series.labels.emplace_back(std::string(dimension.key()), std::string(*text));
      }
    }
  }
  const json::Value* values = json::at(item, {"values"});
  const json::Value* stamps = json::at(item, {"timestamps"});
  if (!values || values->is_null()) return series;
  if (!values->is_array()) return wrong("values are a list", *values);
  const auto* times = stamps ? stamps->if_array() : nullptr;
  for (std::size_t i = 0; i < values->get_array().size(); ++i) {
    const json::Value& value = values->get_array()[i];
    if (value.is_null()) continue;
    if (!value.is_number()) return wrong("a value is a number or null", value);
    Time time;
    if (times && i < times->size() && (*times)[i].is_number()) {
      time = from_unix_millis((*times)[i].to_number<double>());
    }
    series.points.push_back({time, value.to_number<double>()});
  }
  return series;
}

}  // namespace

Result<Answer> parse_dynatrace_answer(std::string_view body) {
  auto document = read_answer(body);
  if (!document) return fail(std::move(document).error());
  Answer answer;
  const json::Value* warnings = json::at(*document, {"warnings"});
  if (warnings && warnings->is_array()) {
    for (const json::Value& warning : warnings->get_array()) {
      if (answer.warnings.size() == kMaxWarnings) break;
      if (const auto* text = warning.if_string()) answer.warnings.push_back(excerpt(*text));
    }
  }
  const json::Value* results = json::at(*document, {"result"});
  if (!results || results->is_null()) return answer;
  if (!results->is_array()) return wrong("result is a list", *results);
  for (const json::Value& result : results->get_array()) {
    const json::Value* data = json::at(result, {"data"});
    if (!data || data->is_null()) continue;
    if (!data->is_array()) return wrong("data are a list", *data);
    for (const json::Value& item : data->get_array()) {
      auto series = read_series(item, json::string_at(result, {"metricId"}));
      if (!series) return fail(std::move(series).error());
      answer.series.push_back(std::move(*series));
    }
  }
  return answer;
}

Result<std::unique_ptr<Provider>> make_dynatrace(const ProviderSpec& spec,
                                                 Connections& connections) {
  if (spec.address.empty()) return fail(ErrorCode::kInvalid, "dynatrace endpoint is not set");
  auto address = need_address(spec);
  if (!address) return fail(std::move(address).error());
  auto token = need_credential(spec, {"dynatrace_token"}, "dynatrace_token");
  if (!token) return fail(std::move(token).error());
  auto source = HttpSource::make(spec, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<DynatraceProvider>(std::move(*source), std::move(*address),
                                             std::move(*token));
}

}  // namespace slipway::metrics
