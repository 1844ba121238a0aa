#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lang/json_path/json_path.h"
#include "metrics/answer_parsers.h"
#include "metrics/cloudwatch_query.h"
#include "metrics/reading.h"

namespace {

using namespace slipway;
using metrics::Answer;

Result<Answer> parse(unsigned provider, std::string_view body) {
  const Time at(std::chrono::seconds(1'700'000'000));
  switch (provider) {
    case 0:
      return metrics::parse_prometheus_answer(body);
    case 1: {
      std::size_t end = std::min(body.find('\n'), body.size());
      return metrics::parse_web_answer(body.substr(std::min(end + 1, body.size())),
                                       body.substr(0, end));
    }
    case 2:
      return metrics::parse_datadog_v1_answer(body);
    case 3:
      return metrics::parse_datadog_v2_answer(body, at);
    case 4:
      return metrics::parse_influxdb_answer(body);
    case 5:
      return metrics::parse_graphite_answer(body);
    case 6:
      return metrics::parse_insights_answer(body, at);
    case 7:
      return metrics::parse_nerdgraph_answer(body, at);
    case 8:
      return metrics::parse_dynatrace_answer(body);
    case 9:
      return metrics::parse_wavefront_answer(body);
    case 10:
      return metrics::parse_skywalking_answer(body);
    case 11: {
      auto page = metrics::parse_google_logs_page(body);
      SLIPWAY_ASSERT(!page || page->entries > 0 || page->newest.empty());
      return metrics::parse_stackdriver_answer(body);
    }
    case 12:
      return metrics::parse_splunk_answer(body);
    case 13: {
      Answer answer;
      auto next = metrics::parse_cloudwatch_page(body, answer);
      if (!next) return std::unexpected(next.error());
      return answer;
    }
    case 14: {
      auto list = json::read(body);
      if (!list) return std::unexpected(list.error());
      return metrics::parse_external_metrics(*list);
    }
    default: {
      auto parameters = metrics::cloudwatch_parameters(body);
      if (!parameters) return std::unexpected(parameters.error());
      return Answer{.metadata = *parameters};
    }
  }
}

constexpr std::string_view kTypes[] = {"prometheus", "web",        "datadog",         "datadog",
                                       "influxdb",   "graphite",   "newrelic",        "newrelic",
                                       "dynatrace",  "wavefront",  "skywalking",      "stackdriver",
                                       "splunk",     "cloudwatch", "externalmetrics", "keptn"};

}  // namespace

// The first byte picks the provider, the rest is what it answers: nothing may crash, errors say
// something short, and every dialect can read what was understood.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  unsigned provider = data[0] % std::size(kTypes);
  std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto answer = parse(provider, body);
  if (!answer) {
    SLIPWAY_ASSERT(!answer.error().message.empty());
    return 0;
  }
  for (auto dialect : {metrics::Dialect::kFlagger, metrics::Dialect::kArgo}) {
    const metrics::Reading& reading = metrics::reading_for(dialect, kTypes[provider]);
    auto number = metrics::read_number(reading, *answer);
    if (number && *number) SLIPWAY_ASSERT(**number == **number);
    metrics::read_result(reading, *answer, Time());
  }
  metrics::FlatPoints flat = metrics::read_points(*answer);
  SLIPWAY_ASSERT(!flat.no_data || flat.points.empty());
  return 0;
}
