// Apache SkyWalking: GraphQL with a $duration.
#include <fmt/format.h>

#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/graphql.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/provider_list.h"
#include "metrics/window.h"

namespace slipway::metrics {

namespace {

// "2026-01-02 1504", in UTC.
std::string minute_text(Time time) {
  std::string text = format_time(time);
  return text.substr(0, 10) + " " + text.substr(11, 2) + text.substr(14, 2);
}

class SkywalkingProvider final : public Provider {
 public:
  SkywalkingProvider(HttpSource source, Url address)
      : source_(std::move(source)), address_(std::move(address)) {}

  Task<Result<Answer>> query(Query query) override {
    Range window = window_of(query, source_.clock());
    auto response =
        co_await ask(query.text, window, Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) {
      co_return status_failure(*response,
                               fmt::format("graphql: server returned a non-200 status code: {}: {}",
                                           response->status, excerpt(response->body)));
    }
    co_return parse_skywalking_answer(response->body);
  }

  Task<Result<>> is_online() override {
    Query query{.text = "query { version }", .timeout = kOnlineTimeout};
    auto answer = co_await this->query(std::move(query));
    if (!answer) co_return fail(std::move(answer).error());
    co_return Result<>();
  }

 private:
  Task<Result<http::Response>> ask(std::string text, Range window, Budget budget) {
    json::Object duration;
    duration["start"] = minute_text(window.from);
    duration["end"] = minute_text(window.to);
    duration["step"] = "MINUTE";
    json::Object variables;
    variables["duration"] = std::move(duration);
    json::Object body;
    body["query"] = text;
    body["variables"] = std::move(variables);
    HttpSource::Call call{.method = "POST",
                          .url = address_.with("/graphql"),
                          .body = json::write(json::Value(std::move(body)))};
    call.headers.add("Content-Type", "application/json; charset=utf-8");
    call.headers.add("Accept", "application/json; charset=utf-8");
    co_return co_await source_.send(std::move(call), budget);
  }

  HttpSource source_;
  Url address_;
};

// Metrics come as …{values {values {value}}}: those are series too.
void add_series(const json::Value& value, Answer& answer) {
  if (const auto* list = value.if_array()) {
    Series series;
    for (const json::Value& item : *list) {
      const json::Value* number = json::at(item, {"value"});
      if (number && number->is_number()) {
        series.points.push_back({Time(), number->to_number<double>()});
      } else {
        add_series(item, answer);
      }
    }
    if (!series.points.empty()) answer.series.push_back(std::move(series));
  } else if (const auto* object = value.if_object()) {
    for (const auto& member : *object) add_series(member.value(), answer);
  }
}

}  // namespace

Result<Answer> parse_skywalking_answer(std::string_view body) {
  auto data = read_graphql(body);
  if (!data) return fail(std::move(data).error());
  Answer answer{.shape = Answer::Shape::kMatrix};
  if (data->is_null()) return answer;
  answer.document = std::move(*data);
  add_series(*answer.document, answer);
  return answer;
}

Result<std::unique_ptr<Provider>> make_skywalking(const ProviderSpec& spec,
                                                  Connections& connections) {
  auto address = need_address(spec);
  if (!address) return fail(std::move(address).error());
  auto source = HttpSource::make(spec, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<SkywalkingProvider>(std::move(*source), std::move(*address));
}

}  // namespace slipway::metrics
