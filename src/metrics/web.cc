// Any HTTP endpoint that answers JSON. The query's text is the JSONPath.
#include <fmt/format.h>

#include "lang/json_path/json_path.h"
#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/provider_list.h"

namespace slipway::metrics {

namespace {

class WebProvider final : public Provider {
 public:
  WebProvider(HttpSource source, ProviderSpec spec)
      : source_(std::move(source)), spec_(std::move(spec)) {}

  Task<Result<Answer>> query(Query query) override {
    HttpSource::Call call{.method = spec_.method,
                          .url = spec_.address,
                          .body = spec_.json_body.empty() ? spec_.body : spec_.json_body};
    if (!spec_.json_body.empty()) call.headers.add("Content-Type", "application/json");
    auto response =
        co_await source_.send(std::move(call), Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status < 200 || response->status > 299) {
      co_return status_failure(*response,
                               fmt::format("received non 2xx response code: {}", response->status));
    }
    co_return parse_web_answer(response->body, query.text);
  }

  // Only that it answers: what it would say to a body is the query's business.
  Task<Result<>> is_online() override {
    auto response = co_await source_.send({.method = "HEAD", .url = spec_.address},
                                          Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status >= 500) co_return status_failure(*response);
    co_return Result<>();
  }

 private:
  HttpSource source_;
  ProviderSpec spec_;
};

// A number, or a text that is one, is also a series: dialects that want numbers can use it.
void add_number(Answer& answer) {
  const json::Value& found = *answer.document;
  auto add = [&answer](const json::Value& value) {
    if (auto number = to_number(value)) answer.series.push_back({.points = {{Time(), *number}}});
  };
  if (const auto* list = found.if_array()) {
    for (const json::Value& member : *list) add(member);
  } else {
    add(found);
  }
}

}  // namespace

Result<Answer> parse_web_answer(std::string_view body, std::string_view path) {
  auto parsed = lang::JsonPath::parse(path.empty() ? "{$}" : path);
  if (!parsed) return fail(std::move(parsed).error());
  Answer answer{.shape = Answer::Shape::kDocument};
  auto document = json::read(body, {.max_bytes = kMaxAnswerBytes});
  if (!document) {
    answer.text = std::string(body);
    answer.document = json::Value(std::string_view(body));
    return answer;
  }
  auto hits = parsed->find(*document);
  if (hits.empty()) {
    return fail(
        ErrorCode::kNotFound,
        fmt::format("Could not find JSONPath in body: {} is not found in {}", path, excerpt(body)));
  }
  answer.document = *hits.front();
  add_number(answer);
  return answer;
}

Result<std::unique_ptr<Provider>> make_web(const ProviderSpec& spec, Connections& connections) {
  ProviderSpec filled = spec;
  if (filled.method.empty()) filled.method = "GET";
  bool has_body = !spec.body.empty() || !spec.json_body.empty();
  if (!spec.body.empty() && !spec.json_body.empty()) {
    return fail(ErrorCode::kInvalid,
                "use either Body or JSONBody; both cannot exists for WebMetric payload");
  }
  if (has_body && filled.method == "GET") {
    return fail(ErrorCode::kInvalid,
                "Body/JSONBody can only be used with POST or PUT WebMetric Method types");
  }
  if (filled.method != "GET" && filled.method != "POST" && filled.method != "PUT") {
    return fail(ErrorCode::kInvalid,
                fmt::format("method \"{}\" is not GET, POST or PUT", filled.method));
  }
  auto address = need_address(filled);
  if (!address) return fail(std::move(address).error());
  // As documented for the other providers that sign in by Secret.
  filled.sigv4.reset();
  if (std::string token = credential(filled, {"token"}); !token.empty()) {
    filled.headers.emplace_back("Authorization", "Bearer " + token);
  }
  auto source = HttpSource::make(filled, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<WebProvider>(std::move(*source), std::move(filled));
}

}  // namespace slipway::metrics
