// Amazon CloudWatch: GetMetricData by the query protocol of 2010-08-01.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "metrics/answer_parsers.h"
#include "metrics/cloudwatch_query.h"
#include "metrics/credentials.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/provider_list.h"
#include "metrics/window.h"
#include "metrics/xml.h"

namespace slipway::metrics {

namespace {

ErrorCode code_of(std::string_view aws_code, int status) {
  if (aws_code.starts_with("Throttling") || aws_code == "RequestLimitExceeded" || status == 429) {
    return ErrorCode::kTooManyRequests;
  }
  if (status >= 500) return ErrorCode::kUnavailable;
  if (aws_code.starts_with("AccessDenied") || aws_code == "UnauthorizedOperation") {
    return ErrorCode::kForbidden;
  }
  if (status == 401 || status == 403 || aws_code.starts_with("ExpiredToken")) {
    return ErrorCode::kUnauthorized;
  }
  return ErrorCode::kInvalid;
}

std::unexpected<Error> cloudwatch_failure(const http::Response& response) {
  auto document = parse_xml(response.body);
  const XmlElement* error = document ? document->find("Error") : nullptr;
  std::string_view code = error ? error->text_of("Code") : std::string_view();
  std::string said = error
                         ? fmt::format("{}: {}", excerpt(code), excerpt(error->text_of("Message")))
                         : excerpt(response.body);
  auto failure = status_failure(
      response, fmt::format("error requesting cloudwatch: status {}: {}", response.status, said));
  failure.error().code = code_of(code, response.status);
  return failure;
}

class CloudwatchProvider final : public Provider {
 public:
  CloudwatchProvider(HttpSource source, std::string url, int max_points)
      : source_(std::move(source)), url_(std::move(url)), max_points_(max_points) {}

  Task<Result<Answer>> query(Query query) override {
    auto parameters = cloudwatch_parameters(query.text);
    if (!parameters) co_return fail(std::move(parameters).error());
    Range window = window_of(query, source_.clock());
    parameters->emplace_back("EndTime", format_time(window.to));
    parameters->emplace_back("StartTime", format_time(window.from));
    if (max_points_ > 0) parameters->emplace_back("MaxDatapoints", std::to_string(max_points_));
    Budget budget(source_.clock(), query.timeout, query.stop);
    Answer answer;
    answer.document = json::Array();
    std::string next;
    for (std::size_t page = 0; page < kMaxPages; ++page) {
      auto response = co_await ask(*parameters, next, budget);
      if (!response) co_return fail(std::move(response).error());
      if (response->status != 200) co_return cloudwatch_failure(*response);
      auto token = parse_cloudwatch_page(response->body, answer);
      if (!token) co_return fail(std::move(token).error());
      next = std::move(*token);
      if (next.empty()) co_return answer;
    }
    answer.warnings.push_back(fmt::format("only the first {} pages were read", kMaxPages));
    co_return answer;
  }

  // A request without queries is refused by a service that is there and knows us.
  Task<Result<>> is_online() override {
    Labels parameters = {{"EndTime", "1970-01-01T00:00:00Z"},
                         {"StartTime", "1970-01-01T00:00:00Z"}};
    auto response = co_await ask(parameters, "", Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200 && response->status != 400) co_return cloudwatch_failure(*response);
    co_return Result<>();
  }

 private:
  Task<Result<http::Response>> ask(Labels parameters, std::string next, Budget budget) {
    parameters.emplace_back("Action", "GetMetricData");
    parameters.emplace_back("Version", "2010-08-01");
    if (!next.empty()) parameters.emplace_back("NextToken", next);
    std::sort(parameters.begin(), parameters.end());
    HttpSource::Call call{.method = "POST", .url = url_, .body = format_form(parameters)};
    call.headers.add("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
    co_return co_await source_.send(std::move(call), budget);
  }

  HttpSource source_;
  std::string url_;
  int max_points_;
};

std::string endpoint(const ProviderSpec& spec, const std::string& region,
                     const Connections& connections) {
  if (!spec.address.empty()) return spec.address;
  std::string named = connections.environment("AWS_ENDPOINT_URL_CLOUDWATCH");
  if (!named.empty()) return named;
  std::string_view suffix = region.starts_with("cn-") ? ".cn" : "";
  return fmt::format("https://monitoring.{}.amazonaws.com{}/", region, suffix);
}

}  // namespace

Result<std::unique_ptr<Provider>> make_cloudwatch(const ProviderSpec& spec,
                                                  Connections& connections) {
  ProviderSpec filled = spec;
  std::string region = spec.region;
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (region.empty()) region = connections.environment(name);
  }
  if (region.empty()) return fail(ErrorCode::kInvalid, "region not specified");
  filled.address = endpoint(spec, region, connections);
  if (auto address = need_address(filled); !address) return fail(std::move(address).error());
  SigV4 sigv4 = spec.sigv4.value_or(SigV4());
  filled.sigv4 = SigV4{.region = region,
                       .service = "monitoring",
                       .profile = sigv4.profile,
                       .role_arn = sigv4.role_arn};
  auto source = HttpSource::make(filled, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<CloudwatchProvider>(std::move(*source), filled.address,
                                              filled.max_points);
}

}  // namespace slipway::metrics
