// Google Cloud Monitoring: MQL over REST (projects.timeSeries.query).
#include <fmt/format.h>

#include <algorithm>

#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/google_token.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/provider_list.h"

namespace slipway::metrics {

namespace {

std::unexpected<Error> stackdriver_failure(const http::Response& response) {
  std::string said = excerpt(response.body);
  if (auto body = json::read(response.body)) {
    std::string_view message = json::string_at(*body, {"error", "message"});
    if (!message.empty()) {
      said = fmt::format("{}: {}", excerpt(json::string_at(*body, {"error", "status"})),
                         excerpt(message));
    }
  }
  return status_failure(
      response, fmt::format("error requesting stackdriver: status {}: {}", response.status, said));
}

class StackdriverProvider final : public Provider {
 public:
  StackdriverProvider(HttpSource source, Url address, std::string project, std::string key)
      : source_(std::move(source)),
        address_(std::move(address)),
        project_(std::move(project)),
        key_(std::move(key)) {}

  // One page: it holds the first series, and up to 100,000 points.
  Task<Result<Answer>> query(Query query) override {
    auto response = co_await ask(query.text, Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return stackdriver_failure(*response);
    co_return parse_stackdriver_answer(response->body);
  }

  // No query is refused by a service that is there and knows us.
  Task<Result<>> is_online() override {
    auto response = co_await ask("", Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200 && response->status != 400) {
      co_return stackdriver_failure(*response);
    }
    co_return Result<>();
  }

 private:
  Task<Result<http::Response>> ask(std::string text, Budget budget) {
    auto token = co_await google_token(source_.connections(), key_, budget);
    if (!token) co_return fail(std::move(token).error());
    json::Object body;
    body["query"] = text;
    HttpSource::Call call{.method = "POST",
                          .url = address_.with(fmt::format("/v3/projects/{}/timeSeries:query",
                                                           http::percent_encode(project_))),
                          .body = json::write(json::Value(std::move(body)))};
    call.headers.add("Authorization", "Bearer " + *token);
    call.headers.add("Content-Type", "application/json");
    co_return co_await source_.send(std::move(call), budget);
  }

  HttpSource source_;
  Url address_;
  std::string project_;
  std::string key_;
};

// {"doubleValue": 1.5}, {"int64Value": "5"}, {"boolValue": true}
std::optional<double> typed_value(const json::Value& value) {
  for (std::string_view name : {"doubleValue", "int64Value"}) {
    if (const json::Value* found = json::at(value, {name})) return to_number(*found);
  }
  if (const json::Value* found = json::at(value, {"boolValue"}); found && found->is_bool()) {
    return found->get_bool() ? 1 : 0;
  }
  return std::nullopt;
}

Labels read_labels(const json::Value& item, const json::Value& document) {
  Labels labels;
  const json::Value* keys = json::at(document, {"timeSeriesDescriptor", "labelDescriptors"});
  const json::Value* values = json::at(item, {"labelValues"});
  if (!values || !values->is_array()) return labels;
  for (std::size_t i = 0; i < values->get_array().size(); ++i) {
    bool named = keys && keys->is_array() && i < keys->get_array().size();
    std::string name(named ? json::string_at(keys->get_array()[i], {"key"}) : "");
    labels.emplace_back(std::move(name), json::string_at(values->get_array()[i], {"stringValue"}));
  }
  return labels;
}

Series read_series(const json::Value& item, const json::Value& document) {
  Series series{.labels = read_labels(item, document)};
  const json::Value* points = json::at(item, {"pointData"});
  if (!points || !points->is_array()) return series;
  for (const json::Value& point : points->get_array()) {
    const json::Value* values = json::at(point, {"values"});
    if (!values || !values->is_array() || values->get_array().empty()) continue;
    auto number = typed_value(values->get_array()[0]);
    if (!number) continue;
    Time time = parse_time(json::string_at(point, {"timeInterval", "endTime"})).value_or(Time());
    series.points.push_back({time, *number});
  }
  // The service begins with the newest.
  if (series.points.size() > 1 && series.points.front().time > series.points.back().time) {
    std::reverse(series.points.begin(), series.points.end());
  }
  return series;
}

}  // namespace

Result<Answer> parse_stackdriver_answer(std::string_view body) {
  auto document = read_answer(body);
  if (!document) return fail(std::move(document).error());
  Answer answer;
  const json::Value* errors = json::at(*document, {"partialErrors"});
  if (errors && errors->is_array()) {
    for (const json::Value& error : errors->get_array()) {
      if (answer.warnings.size() == kMaxWarnings) break;
      answer.warnings.push_back(excerpt(json::string_at(error, {"message"})));
    }
  }
  if (!json::string_at(*document, {"nextPageToken"}).empty()) {
    answer.warnings.emplace_back("the answer has more pages; only the first was read");
  }
  const json::Value* list = json::at(*document, {"timeSeriesData"});
  if (!list || list->is_null()) return answer;
  if (!list->is_array()) {
    return fail(ErrorCode::kInvalid, fmt::format("invalid response: timeSeriesData is a list, "
                                                 "found {}",
                                                 excerpt(json::write(*list))));
  }
  for (const json::Value& item : list->get_array()) {
    answer.series.push_back(read_series(item, *document));
  }
  return answer;
}

Result<std::unique_ptr<Provider>> make_stackdriver(const ProviderSpec& spec,
                                                   Connections& connections) {
  auto address = need_address(spec, "https://monitoring.googleapis.com");
  if (!address) return fail(std::move(address).error());
  auto project = need_credential(spec, {"project"}, "a project id");
  if (!project) return fail(std::move(project).error());
  auto source = HttpSource::make(spec, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<StackdriverProvider>(std::move(*source), std::move(*address),
                                               std::move(*project),
                                               credential(spec, {"serviceAccountKey"}));
}

}  // namespace slipway::metrics
