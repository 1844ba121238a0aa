#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/provider_list.h"

namespace slipway::metrics {

namespace {

// The query's text is a query string (target=…&from=…). Pairs that cannot be decoded are left out,
// and what follows # is a fragment: both as Go's url package has it.
Labels render_parameters(std::string_view text, const std::optional<Range>& range) {
  Labels parameters;
  text = text.substr(0, text.find('#'));
  while (!text.empty()) {
    std::size_t end = std::min(text.find('&'), text.size());
    std::string pair(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.find(';') != std::string::npos) continue;
    // Spaces are allowed here, where a request target has none.
    std::replace(pair.begin(), pair.end(), ' ', '+');
    std::erase_if(pair, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    auto decoded = http::parse_target("/?" + pair);
    if (!decoded || decoded->query.empty()) continue;
    parameters.push_back(decoded->query.front());
  }
  auto has = [&parameters](std::string_view name) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [name](const auto& parameter) { return parameter.first == name; });
  };
  std::erase_if(parameters, [](const auto& parameter) { return parameter.first == "format"; });
  parameters.emplace_back("format", "json");
  if (range && !has("from")) {
    parameters.emplace_back("from", std::to_string(unix_seconds(range->from)));
  }
  if (range && !has("until")) {
    parameters.emplace_back("until", std::to_string(unix_seconds(range->to)));
  }
  std::multimap<std::string, std::string> sorted(parameters.begin(), parameters.end());
  return Labels(sorted.begin(), sorted.end());
}

class GraphiteProvider final : public Provider {
 public:
  GraphiteProvider(HttpSource source, Url address, std::string authorization)
      : source_(std::move(source)),
        address_(std::move(address)),
        authorization_(std::move(authorization)) {}

  Task<Result<Answer>> query(Query query) override {
    std::string form = format_form(render_parameters(query.text, query.range));
    HttpSource::Call call{.url = address_.with("/render?" + form)};
    if (!authorization_.empty()) call.headers.add("Authorization", authorization_);
    auto response =
        co_await source_.send(std::move(call), Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status >= 400) {
      co_return status_failure(*response);
    }
    co_return parse_graphite_answer(response->body);
  }

  Task<Result<>> is_online() override {
    auto answer = co_await query({.text = "target=test", .timeout = kOnlineTimeout});
    if (!answer) {
      co_return fail(answer.error().code, "running query failed: " + answer.error().message);
    }
    co_return Result<>();
  }

 private:
  HttpSource source_;
  Url address_;
  std::string authorization_;
};

std::unexpected<Error> wrong(std::string_view why, const json::Value& found) {
  return fail(ErrorCode::kInvalid, fmt::format("error unmarshaling result: {}, found {}", why,
                                               excerpt(json::write(found))));
}

Result<Series> read_target(const json::Value& item) {
  if (!item.is_object()) return wrong("a target is an object", item);
  Series series;
  if (std::string_view name = json::string_at(item, {"target"}); !name.empty()) {
    series.labels.emplace_back("target", name);
  }
  const json::Value* points = json::at(item, {"datapoints"});
  if (!points || points->is_null()) return series;
  if (!points->is_array()) return wrong("datapoints are a list", *points);
  for (const json::Value& value : points->get_array()) {
    const auto* pair = value.if_array();
    if (!pair || pair->size() != 2) {
      return wrong("error unmarshaling data point: it is [value, seconds]", value);
    }
    auto seconds = (*pair)[1].is_null() ? std::optional<double>(0) : to_number((*pair)[1]);
    if (!seconds) return wrong("error unmarshaling timestamp: it is in seconds", value);
    if ((*pair)[0].is_null()) continue;
    auto number = to_number((*pair)[0]);
    if (!number) return wrong("error unmarshaling value: it is a number or null", value);
    series.points.push_back({from_unix_seconds(std::round(*seconds)), *number});
  }
  return series;
}

}  // namespace

Result<Answer> parse_graphite_answer(std::string_view body) {
  auto document = read_answer(body);
  if (!document) return fail(std::move(document).error());
  if (!document->is_array()) return wrong("the answer is a list of targets", *document);
  Answer answer;
  for (const json::Value& item : document->get_array()) {
    auto series = read_target(item);
    if (!series) return fail(std::move(series).error());
    answer.series.push_back(std::move(*series));
  }
  return answer;
}

Result<std::unique_ptr<Provider>> make_graphite(const ProviderSpec& spec,
                                                Connections& connections) {
  auto address = need_address(spec);
  if (!address) return fail(std::move(address).error());
  std::string authorization;
  if (!address->user.empty()) {
    authorization = basic_authorization(address->user, address->password);
  }
  if (spec.credentials) {
    auto user = need_credential(spec, {"username"}, "a username");
    if (!user) return fail(std::move(user).error());
    auto password = need_credential(spec, {"password"}, "a password");
    if (!password) return fail(std::move(password).error());
    authorization = basic_authorization(*user, *password);
  }
  auto source = HttpSource::make(spec, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<GraphiteProvider>(std::move(*source), std::move(*address),
                                            std::move(authorization));
}

}  // namespace slipway::metrics
